import test from 'ava';
import fc from 'fast-check';
import { fixFrom, mergeRanges } from '../../../src/data/reports/merge-ranges.js';
import { normalRange } from '../../../src/data/reports/ranges.js';
import { versionOrder } from '../../../src/data/reports/versions.js';
import { runs } from '../../_runs.js';

test('a range is written with its bounds in order, whatever its notation', (t) => {
  const rows: readonly (readonly [text: string, ecosystem: string, normal: string])[] = [
    ['<2.6.9 || >=3.0.0 <3.1.0', 'npm', '< 2.6.9 || >= 3.0.0, < 3.1.0'],
    ['>= 3.0.0, < 3.1.0 || < 2.6.9', 'npm', '< 2.6.9 || >= 3.0.0, < 3.1.0'],
    ['>=1.0 <2.0 || >=1.5 <3.0', 'npm', '>= 1.0, < 3.0'],
    ['^1.2.3 || ~0.4.1 || 3.x', 'npm', '>= 0.4.1, < 0.5.0 || >= 1.2.3, < 2.0.0 || >= 3, < 4'],
    ['1.2.0 - 1.4.0', 'npm', '>= 1.2.0, <= 1.4.0'],
    ['*', 'npm', '>= 0'],
    ['>= 0.0.0-0, < 1.5', 'crates.io', '< 1.5'],
    ['!= 1.5', 'PyPI', '< 1.5 || > 1.5'],
    ['~=1.4.2, !=1.4.5', 'PyPI', '>= 1.4.2, < 1.4.5 || > 1.4.5, < 1.5.0'],
    ['[2.0,2.8.11.1),[2.9,2.9.4]', 'Maven', '>= 2.0, < 2.8.11.1 || >= 2.9, <= 2.9.4'],
    ['(,1.0] || [1.5]', 'Maven', '<= 1.0 || = 1.5'],
    ['>=1.0,<1.2|>=2.0,<2.1', 'Packagist', '>= 1.0, < 1.2 || >= 2.0, < 2.1'],
    // Databases of Rust and Ruby list alternatives, which tools join with commas.
    ['>= 3.1.0, >= 2.1.3, < 3.0.0', 'crates.io', '>= 2.1.3, < 3.0.0 || >= 3.1.0'],
    ['>= 2.1.3, < 3.0.0, >= 3.1.0', 'crates.io', '>= 2.1.3, < 3.0.0 || >= 3.1.0'],
    ['~> 5.2.4, >= 5.2.4.3, >= 6.0.3.1', 'RubyGems', '>= 5.2.4.3, < 5.3.0 || >= 6.0.3.1'],
    ['>= 3.1.0, >= 2.1.3', 'npm', '>= 3.1.0'],
    ['vers:npm/>=4.0.0|<4.3.1|>=5.0.0|<5.1.0', 'npm', '>= 4.0.0, < 4.3.1 || >= 5.0.0, < 5.1.0'],
    ['vers:npm/*', 'npm', '>= 0'],
    ['before the summer', 'npm', 'before the summer'],
  ];
  for (const [text, ecosystem, normal] of rows) t.is(normalRange(text, ecosystem), normal, text);
});

test('a list of fixed versions, or a range of them, is read as tools write it', (t) => {
  t.deepEqual(fixFrom('1.5.13, 1.3.15'), ['1.5.13', '1.3.15']);
  t.deepEqual(fixFrom('1:1.0~rc1-1'), ['1:1.0~rc1-1']);
  t.deepEqual(fixFrom('>=3.0.8 <4.0.0 || >=4.5.3'), '>=3.0.8 <4.0.0 || >=4.5.3');
  for (const none of ['<0.0.0', ' ', 'not fixed']) t.deepEqual(fixFrom(none), [], none);
});

type Statement = Parameters<typeof mergeRanges>[0][number];

test('what several reports say of a package becomes one range that is vulnerable, and one that is fixed', (t) => {
  const rows: readonly (readonly [about: string, statements: readonly Statement[], merged: string])[] = [
    [
      'a range alone: the fix follows it',
      [{ vulnerableRange: '<2.6.9 || >=3 <3.1' }],
      '< 2.6.9 || >= 3, < 3.1 -> >= 2.6.9, < 3 || >= 3.1',
    ],
    ['an open range has no fix', [{ vulnerableRange: '>= 2.0' }], '>= 2.0 -> no fixed version'],
    ['versions alone say nothing of others', [{ installed: '1.0' }], '= 1.0 -> null'],
    ['a fix is denied', [{ installed: '1.0', fix: [] }], '= 1.0 -> no fixed version'],
    ['the next fix ends the range', [{ installed: '7.0.3', fix: ['7.0.5', '6.0.6'] }], '< 7.0.5 -> >= 7.0.5'],
    [
      'each branch has its fix',
      [{ installed: '1.0.0', fix: ['2.0.1', '1.2.3'] }],
      '< 1.2.3 -> >= 1.2.3, < 2.0.0 || >= 2.0.1',
    ],
    ['a branch without a fix', [{ installed: '7.0', fix: ['6.0.6'] }], '= 7.0 -> >= 6.0.6, < 7.0'],
    [
      'a fix as a range',
      [{ installed: '1.9', fix: '>= 2.1.3 < 3 || >= 3.1' }],
      '< 2.1.3 || >= 3, < 3.1 -> >= 2.1.3, < 3 || >= 3.1',
    ],
    [
      'a fix inside of the vulnerable range is none',
      [{ vulnerableRange: '<= 2.0', fix: ['1.5'] }],
      '<= 2.0 -> > 2.0',
    ],
    [
      'what is merged is fixed where all of it is fixed',
      [
        { vulnerableRange: '<1.0.0', fix: '>=1.0.0' },
        { vulnerableRange: '<2.0.0', fix: '>=2.0.0' },
      ],
      '<2.0.0 -> >=2.0.0',
    ],
    [
      'a range says more than the fixes of another report',
      [
        { installed: '0.1.7', fix: ['0.1.10', '1.9.0', '6.3.0'] },
        { vulnerableRange: '>=4.0.0,<6.3.0', fix: ['6.3.0'] },
        { vulnerableRange: '<0.1.10', fix: ['0.1.10'] },
      ],
      '< 0.1.10 || >= 4.0.0, < 6.3.0 -> >= 0.1.10, < 4.0.0 || >= 6.3.0',
    ],
    [
      'a later fix of one report counts',
      [
        { vulnerableRange: '< 1.0', fix: ['1.0'] },
        { installed: '0.5', fix: ['2.0'] },
      ],
      '< 1.0 -> >= 2.0',
    ],
    ['what is not understood stays', [{ vulnerableRange: 'all of it', fix: ['2'] }], 'all of it -> >= 2'],
  ];
  for (const [about, statements, merged] of rows) {
    const { vulnerableRange, fixedRange } = mergeRanges(statements, 'npm');
    t.is(`${vulnerableRange} -> ${fixedRange}`, merged, about);
  }
});

/** Versions as each ecosystem has them, in which the same numbers meet often. */
const suffixes: Readonly<Record<string, readonly string[]>> = {
  npm: ['', '', '-rc.1', '-0', '+build'],
  'crates.io': ['', '', '-alpha.1'],
  Go: ['', '-rc1', '+incompatible'],
  PyPI: ['', '', 'rc1', '.post1', '.dev3', '+local'],
  Maven: ['', '', '.Final', '-rc1', '-jre', '-1'],
  RubyGems: ['', '', '.rc1'],
  Packagist: ['', '-beta1', '-p1'],
  'Debian:12': ['', '-1', '-1+deb12u1', '~rc1-1'],
  Alpine: ['', '-r1', '_rc1-r0', 'b-r0'],
  'Red Hat': ['', '-1.el8', '~rc1-1.el8'],
  unknown: ['', '-rc1', '+1'],
};

const versionIn = (ecosystem: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.tuple(fc.integer({ min: 1, max: 3 }), fc.array(fc.nat(3), { maxLength: 2 })),
      fc.constantFrom(...(suffixes[ecosystem] ?? [''])),
    )
    .map(([[major, others], suffix]) => [major, ...others].join('.') + suffix);

/** A range in words that each ecosystem has: bounds that may be open, and out of order. */
const rangeIn = (ecosystem: string, version: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .array(
      fc.oneof(
        fc
          .tuple(fc.constantFrom('>=', '>', '<', '<=', '='), version)
          .map(([operator, v]) => `${operator} ${v}`),
        fc
          .tuple(version, version)
          .filter(([from, to]) => versionOrder(ecosystem)(from, to) < 0)
          .map(([from, to]) => `>= ${from}, < ${to}`),
      ),
      { minLength: 1, maxLength: 3 },
    )
    .map((alternatives) => alternatives.join(' || '));

const statementIn = (ecosystem: string): fc.Arbitrary<Statement> => {
  const version = versionIn(ecosystem);
  const fix: fc.Arbitrary<Statement['fix'] & {}> = fc.oneof(
    fc.array(version, { maxLength: 3 }),
    rangeIn(ecosystem, version),
  );
  return fc
    .tuple(fc.option(rangeIn(ecosystem, version)), fc.option(fix), fc.option(version))
    .map(([vulnerableRange, known, installed]) => ({ vulnerableRange, fix: known, installed }));
};

/** Whether a version is in a range, by its text alone. */
const isIn = (ecosystem: string, version: string, range: string | null): boolean =>
  (range ?? 'no fixed version').split(' || ').some((alternative) => {
    const bounds = Array.from(alternative.matchAll(/(>=|<=|>|<|=) ?([^\s,]+)/g));
    const isWithin = bounds.every(([, operator = '', bound = '']) => {
      const order = versionOrder(ecosystem)(version, bound);
      // Nothing comes before 0.
      if (operator === '>=' && /^0(?:\.0)*$/.test(bound)) return true;
      return { '>=': order >= 0, '>': order > 0, '<': order < 0, '<=': order <= 0, '=': order === 0 }[
        operator
      ];
    });
    return bounds.length > 0 && isWithin;
  });

/** Versions at all bounds of texts, and around them. */
const probesOf = (...texts: readonly unknown[]): readonly string[] => {
  const found = JSON.stringify(texts).match(/\d[\w.+~-]*/g) ?? [];
  const around = found.flatMap((version) => [
    version,
    `${version}.1`,
    version.replace(/(\d)\D*$/, (_, n) => `${Number(n) + 1}`),
  ]);
  return [
    ...around,
    ...found.flatMap((version) => `${version}`.split(/[-+~_]/)[0] ?? []),
    '0',
    '0.0.1',
    '99',
  ];
};

for (const ecosystem of Object.keys(suffixes))
  test(`no version is vulnerable and fixed at once, and none that one report calls vulnerable is lost: ${ecosystem}`, (t) => {
    t.notThrows(() =>
      fc.assert(
        fc.property(fc.array(statementIn(ecosystem), { minLength: 1, maxLength: 4 }), (statements) => {
          const { vulnerableRange, fixedRange } = mergeRanges(statements, ecosystem);
          for (const version of probesOf(statements, vulnerableRange, fixedRange)) {
            const isFixed = isIn(ecosystem, version, fixedRange);
            const isNamed = statements.some((each) => isIn(ecosystem, version, each.vulnerableRange ?? null));
            const isFound = statements.some(
              ({ installed }) => installed && versionOrder(ecosystem)(version, installed) === 0,
            );
            if (isFixed && (isIn(ecosystem, version, vulnerableRange) || isNamed || isFound)) return false;
            if (isNamed && !isIn(ecosystem, version, vulnerableRange)) return false;
            // What names no range has to be fixed there as well.
            const others = statements.filter(
              (each) => each.vulnerableRange === null && Array.isArray(each.fix) && each.fix.length > 0,
            );
            const isBefore = (fix: unknown) =>
              Array.isArray(fix) && fix.every((each: string) => versionOrder(ecosystem)(version, each) < 0);
            if (isFixed && others.some(({ fix }) => isBefore(fix))) return false;
          }
          return true;
        }),
        runs(100),
      ),
    );
  });

/** Versions of an ecosystem from the earliest to the latest; those on one line, after `=`, are the same. */
const sorted: Readonly<Record<string, string>> = {
  npm: '1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta.2 1.0.0-beta.11 1.0.0-rc10 1.0.0-rc2 1.0.0=v1.0.0=1.0.0+build 1.0.9 1.0.10 2.0.0-0 2.0.0',
  Go: 'v0.0.0-20200101000000-abcdef v1.2.3-0.20200101 v1.2.3=v1.2.3+incompatible v1.10.0',
  NuGet: '1.0.0-beta 1.0.0=1.0.0.0 1.0.0.1',
  PyPI: '0.9 1.0.dev1 1.0a1.dev1 1.0a1 1.0b2 1.0rc1=1.0c1 1.0=1.0.0=1 1.0+local.1 1.0.post1=1.0-1 1.0.1 2!0.1',
  Maven:
    '1.0-alpha-1=1.0-a1 1.0-beta 1.0-M2 1.0-rc1=1.0-CR1 1.0-SNAPSHOT 1.0=1.0.0=1.0.Final=1.0.RELEASE 1.0-sp1 1.0-jre 1.0-1 1.0.1 2.9.10 2.9.10.8',
  RubyGems: '1.0.a 1.0.rc1 1.0=1.0.0 1.0.1 1.10',
  Packagist: '1.0-dev 1.0-alpha 1.0-beta1=1.0b1 1.0-RC1 1.0=1.0.0 1.0-p1 1.0.1',
  Debian:
    '1.0~rc1-1 1.0-1 1.0-1+deb10u1 1.0-1+deb10u2 1.0-1.1 1.0+dfsg-1 1.0.1-1 2.0.5-1 2.0.5-1+deb10u1 1:0.1-1',
  'Ubuntu:22.04': '2.35-0ubuntu3 2.35-0ubuntu3.1 2.35-0ubuntu3.10',
  Alpine: '1.1.1_alpha1 1.1.1_rc1-r0 1.1.1-r0 1.1.1-r1 1.1.1_p1-r0 1.1.1o-r0 1.1.1p-r0 1.1.2-r0',
  'Red Hat': '1.0~beta-1.el8 1.0-1.el8 1.0-1.el8_2 1.0-2.el8 1.0^git1-1.el8 1.0.1-1.el8 1:0.5-1.el8',
  other: '1.0-rc1 1.0=v1.0 1.0+deb1 1.0.RELEASE 1.0.1 1.2 1.10 1.20240101123456789012',
};

for (const [ecosystem, text] of Object.entries(sorted))
  test(`versions are ordered as their ecosystem orders them: ${ecosystem}`, (t) => {
    const order = versionOrder(ecosystem);
    const places = text
      .split(' ')
      .flatMap((same, place) => same.split('=').map((version) => ({ version, place })));
    for (const left of places)
      for (const right of places)
        t.is(
          Math.sign(order(left.version, right.version)),
          Math.sign(left.place - right.place),
          `${left.version} ${right.version}`,
        );
  });
