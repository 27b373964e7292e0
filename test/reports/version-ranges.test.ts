import test from 'ava';
import fc from 'fast-check';
import { osvRange } from '../../src/reports/osv-range.js';
import {
  fixedRangeOf,
  fixFrom,
  lastVersion,
  noFixedVersion,
  unionOfRanges,
  upperBounds,
  vulnerableRangeBefore,
} from '../../src/reports/version-ranges.js';

const versions = (...names: readonly string[]) => ({ kind: 'versions', versions: names }) as const;

test('a fixed range ends where the next vulnerable one begins', (t) => {
  const rows: readonly (readonly [readonly string[], string, string])[] = [
    [['4.17.21'], '< 4.17.21', '>= 4.17.21'],
    [['2.6.9', '3.1.0'], '<2.6.9 || >=3.0.0 <3.1.0', '>= 2.6.9, < 3.0.0 || >= 3.1.0'],
    [['3.1.0', '2.6.9'], '>= 3.0.0, < 3.1.0 || < 2.6.9', '>= 2.6.9, < 3.0.0 || >= 3.1.0'],
    // A version that another alternative contains is not fixed.
    [['2.6.7', '3.1.1'], '>= 1.0, < 3.1.1 || < 2.6.7', '>= 3.1.1'],
    [['1.3.15', '1.5.13'], '', '>= 1.3.15 || >= 1.5.13'],
    [['1.10.0', '1.9.0'], '', '>= 1.9.0 || >= 1.10.0'],
  ];
  for (const [fixed, vulnerable, expected] of rows)
    t.is(fixedRangeOf([versions(...fixed)], vulnerable), expected, vulnerable);
});

test('versions say more than a range, a range more than that there is no fix, and nothing is not none', (t) => {
  t.is(fixedRangeOf([{ kind: 'none' }, { kind: 'range', range: '> 2' }, versions('3')], ''), '>= 3');
  t.is(fixedRangeOf([{ kind: 'none' }, { kind: 'range', range: '> 2' }], ''), '> 2');
  t.is(fixedRangeOf([{ kind: 'none' }], ''), noFixedVersion);
  t.is(fixedRangeOf([], '< 2'), null);
});

test('a fix is read as tools write it', (t) => {
  t.deepEqual(fixFrom('1.5.13, 1.3.15'), versions('1.5.13', '1.3.15'));
  t.deepEqual(fixFrom('>=3.0.8 <4.0.0 || >=4.5.3'), { kind: 'range', range: '>=3.0.8 <4.0.0 || >=4.5.3' });
  t.deepEqual(fixFrom('~> 5.2.4, >= 6.0.3'), { kind: 'range', range: '~> 5.2.4, >= 6.0.3' });
  t.deepEqual(fixFrom('<0.0.0'), { kind: 'none' });
  t.deepEqual(fixFrom(' '), { kind: 'none' });
});

test('each alternative of a range is kept once, as the first source has it', (t) => {
  t.is(unionOfRanges(['<6.0.0', '< 6.0.0']), '<6.0.0');
  t.is(unionOfRanges(['>=4.0.0 <4.3.1', '< 2.6.9 || >= 4.0.0, < 4.3.1']), '< 2.6.9 || >=4.0.0 <4.3.1');
  t.is(unionOfRanges([]), '');
  t.is(unionOfRanges([' || ']), '');
});

test('the bounds of a range', (t) => {
  t.deepEqual(upperBounds('<2.6.9 || >=4.0.0 <4.3.1 || >=5'), ['2.6.9', '4.3.1']);
  t.deepEqual(upperBounds('<=5.28.2'), []);
  t.is(lastVersion('<=5.28.2 || >= 6.0, <= 6.2'), '6.2');
  t.is(lastVersion('*'), null);
});

test('a vulnerable range that nobody names ends at the next fixed version', (t) => {
  t.is(vulnerableRangeBefore([versions('1.5.13', '1.3.15')], ['1.4.14']), '< 1.5.13');
  t.is(vulnerableRangeBefore([versions('1.5.13', '1.3.15')], []), '< 1.3.15');
  t.is(vulnerableRangeBefore([{ kind: 'none' }], ['1.0', '1.0', '2.0']), '= 1.0 || = 2.0');
  t.is(vulnerableRangeBefore([], []), null);
});

test('OSV: events become a range; commits are no versions', (t) => {
  const range = (events: readonly object[], type = 'SEMVER') =>
    osvRange({
      ranges: [
        {
          type,
          events: events.map((event) => ({
            introduced: undefined,
            fixed: undefined,
            last_affected: undefined,
            ...event,
          })),
        },
      ],
      versions: [],
      database_specific: undefined,
    });
  t.deepEqual(range([{ introduced: '0' }, { fixed: '1.2' }, { introduced: '2.0' }, { fixed: '2.3' }]), {
    vulnerableRange: '< 1.2 || >= 2.0, < 2.3',
    fix: versions('1.2', '2.3'),
  });
  t.deepEqual(range([{ introduced: '0' }]), { vulnerableRange: '>= 0', fix: { kind: 'none' } });
  t.deepEqual(range([{ introduced: '1.0' }, { last_affected: '1.9' }]), {
    vulnerableRange: '>= 1.0, <= 1.9',
    fix: { kind: 'none' },
  });
  t.deepEqual(range([{ introduced: '0' }, { fixed: 'abcdef' }], 'GIT'), { vulnerableRange: null, fix: null });
  const listed = (count: number) =>
    osvRange({
      ranges: [],
      versions: Array.from({ length: count }, (_, i) => `1.${i}`),
      database_specific: undefined,
    }).vulnerableRange;
  t.is(listed(2), '= 1.0 || = 1.1');
  t.is(listed(30), '>= 1.0, <= 1.29');
});

test('any text is a range or a fix', (t) => {
  const text = fc.oneof(fc.string(), fc.stringMatching(/^[<>=|, 0-9.a*-]{0,60}$/));
  t.notThrows(() =>
    fc.assert(
      fc.property(text, text, (range, fix) => {
        const union = unionOfRanges([range, fix]);
        fixedRangeOf([fixFrom(fix), versions(fix)], union);
        vulnerableRangeBefore([fixFrom(fix)], [range]);
        // The union of a union is the same.
        return unionOfRanges([union]) === union;
      }),
    ),
  );
});
