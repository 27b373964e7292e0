import test from 'ava';
import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { FindingStatus, Severity, valuesOf } from '../../../src/contract/enums.js';
import { overviewPage } from '../../../src/pages/explorer/overview-page.js';
import { aContext, aFinding, aListedRepo, aPr, textOf } from './_rows.js';

type OverviewData = Parameters<typeof overviewPage>[1];

const markupOf = (over: Partial<OverviewData>): string =>
  overviewPage(aContext, {
    repos: [],
    findings: { rows: [], total: 0 },
    prs: { rows: [], total: 0 },
    openPrs: 0,
    ...over,
  }).markup;

const all = <Row>(rows: readonly Row[]) => ({ rows, total: rows.length });
const scan = aListedRepo().lastScan;

/** The numbers of each week in the table of a chart, the oldest week first. */
const weeksIn = (markup: string, chart: 'discovered' | 'created') => {
  const [, card = ''] = markup.split(`aria-labelledby="${chart}"`);
  const rows = card
    .split('</section>', 1)
    .join()
    .matchAll(/datetime="([^"]+)">.*?<\/th>(.*)<\/tr>/g);
  return Array.from(rows, ([, week = '', cells = '']) => ({
    week,
    counts: Array.from(cells.matchAll(/<td>(?:<a [^>]*>)?(\d+)/g), ([, count]) => Number(count)),
  }));
};

/** The number before some words of a page; 0 if they are not there. */
const numberBefore = (markup: string, words: RegExp): number =>
  Number(new RegExp(`(\\d+) ${words.source}`).exec(textOf(markup))?.[1] ?? 0);

const moments = fc.constantFrom(
  '1970-01-01T00:00:00.000Z',
  '2026-05-24T23:59:59.999Z',
  '2026-05-25T00:00:00.000Z',
  '2026-11-20T12:00:00.000Z',
  '2026-11-23T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
);
const states = fc.constantFrom('open', 'merged', 'closed', 'cancelled', null, 'draft', 'Open', '');

test('26 weeks from Monday to Monday (UTC) are shown, the last one with the present moment', (t) => {
  const [first, second] = ['2026-11-15T23:59:59.999Z', '2026-11-16T00:00:00.000Z'];
  const findings = all([aFinding({ discoveredAt: first }), aFinding({ discoveredAt: second })]);
  const weeks = weeksIn(markupOf({ findings }), 'discovered');
  t.is(weeks.length, 26);
  t.is(weeks[0]?.week, '2026-05-25');
  t.deepEqual(weeks.slice(-2), [
    { week: '2026-11-09', counts: [1] },
    { week: '2026-11-16', counts: [1] },
  ]);
});

test('every pull request is counted once: in a week, before them all or in the future', (t) => {
  fc.assert(
    fc.property(fc.array(fc.tuple(moments, states), { minLength: 1 }), (pairs) => {
      const prs = all(pairs.map(([createdAt, prState]) => aPr({ createdAt, prState })));
      const markup = markupOf({ prs });
      const inWeeks = weeksIn(markup, 'created').flatMap(({ counts }) => counts);
      const before = numberBefore(markup, /before \S+ not shown/);
      const after = numberBefore(markup, /in the future not shown/);
      return inWeeks.reduce((sum, count) => sum + count, before + after) === pairs.length;
    }),
  );
  const prs = all(
    ['open', 'merged', null, 'cancelled', 'closed', 'Open', 'draft'].map((prState) => aPr({ prState })),
  );
  t.deepEqual(weeksIn(markupOf({ prs }), 'created').at(-1)?.counts, [1, 1, 3, 2]);
});

test('a scan has failed if its status says so or it has an error', (t) => {
  const scans = [{}, { error: 'no access' }, { status: 'failed' }].map((over) =>
    aListedRepo({ lastScan: { ...scan, ...over } }),
  );
  const unscanned = aListedRepo({ lastScan: null, lastScanAt: null });
  const markup = markupOf({ repos: [...scans, unscanned] });
  t.is(numberBefore(markup, /\s+Failed scans/), 2);
});

test('the repositories with the most open advisories come first, and those without any are left out', (t) => {
  const repos = Array.from({ length: 14 }, (_, n) => aListedRepo({ repo: `r${n}`, openAdvisoryCount: n }));
  const markup = markupOf({ repos });
  const names = Array.from(markup.matchAll(/<bdi>acme\/(r\d+)<\/bdi>/g), ([, name]) => name);
  t.deepEqual(names, ['r13', 'r12', 'r11', 'r10', 'r9', 'r8', 'r7', 'r6', 'r5', 'r4']);
  t.true(textOf(markup).includes('The first 10 of 13.'));
});

for (const [count, scale] of [
  [1, ['1', '0']],
  [4, ['4', '3', '2', '1', '0']],
  [18, ['20', '15', '10', '5', '0']],
  [101, ['150', '100', '50', '0']],
] as const) {
  test(`the scale of a week with ${count} findings has equal steps that people count in`, (t) => {
    const markup = markupOf({
      findings: all(Array.from({ length: count }, () => aFinding({ discoveredAt }))),
    });
    const [, spans = ''] = /<div class="scale" aria-hidden="true">(.*?)<\/div>/.exec(markup) ?? [];
    t.deepEqual(textOf(spans).trim().split(/\s+/), scale);
  });
}

const discoveredAt = '2026-11-20T12:00:00.000Z';

/** The attributes of the bars and columns of a page; throws if its charts are not well-formed. */
const bars = (markup: string): readonly Readonly<Record<string, string>>[] => {
  const found: Readonly<Record<string, string>>[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (name === 'rect' && 'x' in attributes) found.push(Object.fromEntries(Object.entries(attributes)));
  });
  const charts = Array.from(markup.matchAll(/<svg class="chart".*?<\/svg>/gs), ([chart]) => chart);
  parser.write(`<all>${charts.join('')}</all>`).close();
  return found;
};

test('bars and columns stay within their charts, which have no styles of their own', (t) => {
  const findings = fc.array(
    fc.record({
      severity: fc.constantFrom(...valuesOf(Severity)),
      status: fc.constantFrom(...valuesOf(FindingStatus)),
      discoveredAt: moments,
    }),
    { minLength: 1 },
  );
  fc.assert(
    fc.property(findings, fc.array(fc.tuple(moments, states)), (rows, pairs) => {
      const markup = markupOf({
        findings: all(rows.map((row) => aFinding(row))),
        prs: all(pairs.map(([createdAt, prState]) => aPr({ createdAt, prState }))),
      });
      t.notRegex(markup, /style=|\son\w+=/);
      return bars(markup).every(({ x = '', y = '', width = '', height = '' }) => {
        const right = Number.parseFloat(x) + Number.parseFloat(width);
        const bottom = Number.parseFloat(y) + Number.parseFloat(height);
        return right <= 100.02 && Number.parseFloat(y) >= 0 && bottom <= 180.02;
      });
    }),
  );
});
