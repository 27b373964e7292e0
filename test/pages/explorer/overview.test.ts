import test from 'ava';
import fc from 'fast-check';
import {
  type OverviewData,
  overviewOf,
  overviewPage,
  weekOf,
  weeksUntil,
} from '../../../src/pages/explorer/overview-page.js';
import { at, now } from '../../_data.js';
import { aContext, aFinding, aListedRepo, aPr, textOf } from './_rows.js';

const dataOf = (over: Partial<OverviewData> = {}): OverviewData => ({
  repos: [],
  findings: { rows: [], total: 0 },
  prs: { rows: [], total: 0 },
  openPrs: 0,
  ...over,
});

const all = <Row>(rows: readonly Row[]) => ({ rows, total: rows.length });
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const scan = aListedRepo().lastScan;

test('weeks begin on Monday at 00:00 UTC, and the last one is the current one', (t) => {
  t.deepEqual(
    weeksUntil(at(now), 2).map((week) => new Date(week).toISOString()),
    ['2026-11-09T00:00:00.000Z', '2026-11-16T00:00:00.000Z'],
  );
  fc.assert(
    fc.property(
      fc.date({ noInvalidDate: true, min: new Date(0) }),
      fc.integer({ min: 1, max: 60 }),
      (date, count) => {
        const weeks = weeksUntil(date.getTime(), count);
        return (
          weeks.length === count &&
          weeks.every((week) => new Date(week).getUTCDay() === 1 && week % 86_400_000 === 0) &&
          weekOf(weeks, date.getTime()) === count - 1
        );
      },
    ),
  );
});

test('a week includes its first millisecond and excludes that of the next', (t) => {
  const weeks = weeksUntil(at(now), 2);
  const [first = 0, second = 0] = weeks;
  t.deepEqual(
    [first - 1, first, second - 1, second, second + 7 * 86_400_000].map((moment) => weekOf(weeks, moment)),
    [null, 0, 0, 1, null],
  );
});

test('every pull request is counted once: in a week, before them all or in the future', (t) => {
  const moments = fc.constantFrom(
    '1970-01-01T00:00:00.000Z',
    '2026-05-24T23:59:59.999Z',
    '2026-05-25T00:00:00.000Z',
    '2026-11-20T12:00:00.000Z',
    '2026-11-23T00:00:00.000Z',
    '9999-12-31T23:59:59.999Z',
  );
  const states = fc.constantFrom('open', 'merged', 'closed', 'cancelled', null, 'draft', 'Open', '');
  fc.assert(
    fc.property(fc.array(fc.tuple(moments, states)), (pairs) => {
      const rows = pairs.map(([createdAt, prState]) => aPr({ createdAt, prState }));
      const { created } = overviewOf(dataOf({ prs: all(rows) }), at(now));
      return sum(created.counts.flat()) + created.before + created.after === rows.length;
    }),
  );
  const states4 = ['open', 'merged', null, 'cancelled', 'closed', 'Open', 'draft'].map((prState) =>
    aPr({ prState }),
  );
  const { created } = overviewOf(dataOf({ prs: all(states4) }), at(now));
  t.is(created.weeks.length, 26);
  t.deepEqual(created.counts.at(-1), [1, 1, 3, 2]);
});

test('a scan has failed if its status says so or it has an error', (t) => {
  const repos = [{}, { error: 'no access' }, { status: 'failed' }].map((over) =>
    aListedRepo({ lastScan: { ...scan, ...over } }),
  );
  const unscanned = aListedRepo({ lastScan: null, lastScanAt: null });
  t.is(overviewOf(dataOf({ repos: [...repos, unscanned] }), at(now)).failedScans, 2);
});

test('the repositories with the most open advisories come first, and those without any are left out', (t) => {
  const repos = Array.from({ length: 14 }, (_, n) => aListedRepo({ id: `r${n}`, openAdvisoryCount: n }));
  const { topRepos, affectedRepos } = overviewOf(dataOf({ repos }), at(now));
  t.deepEqual([topRepos.length, affectedRepos], [10, 13]);
  t.deepEqual([topRepos[0]?.id, topRepos[1]?.id], ['r13', 'r12']);
});

test('every chart has a table with its numbers', (t) => {
  const data = dataOf({
    repos: [aListedRepo({ owner: '<b>', repo: '"x"' })],
    findings: all([aFinding()]),
    prs: all([aPr()]),
  });
  const { markup } = overviewPage(aContext, data);
  t.is(markup.match(/<table class="numbers/g)?.length, 4);
  t.notRegex(markup, /<b>/);
  t.true(textOf(markup).includes('<b>/"x"'));
});
