import { millisecondsOf, type Timestamp } from '../../contract/codecs/timestamp.js';
import { type PrStatus, prStatusOf } from '../../contract/enums.js';
import type { Finding } from '../../contract/finding.js';
import { operations } from '../../contract/operations.js';
import { maxLimit } from '../../contract/page-and-limit.js';
import type { Pr } from '../../contract/pr.js';
import type { Repo } from '../../contract/repo.js';
import { type Html, html } from '../html.js';
import { explorerPaths, findingsOf, queryString } from '../paths.js';
import { emptyState, explorerPage, type ViewContext } from './explorer-page.js';
import { findingStatuses } from './findings-pages.js';
import { grouped, severities, stateSign, text } from './values.js';

const day = 86_400_000;
const week = 7 * day;

/** The first Monday of the epoch: 5 January 1970. */
const firstMonday = 4 * day;

/** Weeks in a row, each from Monday 00:00 UTC, the oldest first: their beginnings in milliseconds. */
type Weeks = readonly number[];

/** The week of a moment and those before it, `count` in all. */
const weeksUntil = (now: number, count: number): Weeks => {
  const last = firstMonday + Math.floor((now - firstMonday) / week) * week;
  return Array.from({ length: count }, (_, index) => last - (count - 1 - index) * week);
};

/** The index of the week of a moment; null: it is in none of them. */
const weekOf = (weeks: Weeks, moment: number): number | null => {
  const index = Math.floor((moment - (weeks[0] ?? 0)) / week);
  return index >= 0 && index < weeks.length ? index : null;
};

/** A list as far as it was read. */
export type ReadRows<Row> = Readonly<{ rows: readonly Row[]; total: number }>;

/** Everything that the overview is made of. */
type OverviewData = Readonly<{
  repos: readonly Repo[];
  findings: ReadRows<Finding>;
  prs: ReadRows<Pr>;
  /** As the API counts them; all of them, however many were read. */
  openPrs: number;
}>;

/** The states of pull requests on the overview: those of the filter, and all that it does not match. */
const prStates: readonly (PrStatus | 'other')[] = ['open', 'merged', 'closed', 'other'];

/** So many weeks are shown, up to the current one. */
const shownWeeks = 26;

/** So many repositories are shown. */
const shownRepos = 10;

/** What the overview shows. */
type Overview = ReturnType<typeof overviewOf>;

/** Counts what the overview shows. */
const overviewOf = ({ repos, findings, prs }: OverviewData, now: number) => {
  const weeks = weeksUntil(now, shownWeeks);
  const affected = repos.filter(({ openAdvisoryCount }) => openAdvisoryCount > 0);
  return {
    openFindings: findings.rows.filter(({ status }) => status !== 'resolved').length,
    failedScans: repos.filter(hasFailed).length,
    // Of each severity, by status.
    bySeverity: severities.map((severity) => {
      const own = findings.rows.filter((each) => each.severity === severity);
      const values = findingStatuses.map((status) => own.filter((each) => each.status === status).length);
      return { name: severity, values };
    }),
    discovered: weekly(weeks, findings.rows, 1, ({ discoveredAt }) => [discoveredAt, 0]),
    // By state, in the order of `prStates`.
    created: weekly(weeks, prs.rows, prStates.length, ({ createdAt, prState }) => [
      createdAt,
      prStates.indexOf(prStatusOf(prState) ?? 'other'),
    ]),
    topRepos: affected.toSorted((l, r) => r.openAdvisoryCount - l.openAdvisoryCount).slice(0, shownRepos),
    affectedRepos: affected.length,
  };
};

/** Whether the last scan has failed: scan statuses are free-form, but an error is one. */
const hasFailed = ({ lastScan }: Repo): boolean =>
  lastScan !== null && (lastScan.error !== null || lastScan.status === 'failed');

/** Counts by week; what is in none of the weeks is counted apart. */
type Weekly = ReturnType<typeof weekly>;

/** Counts rows by week and series; `read` returns the moment and the index of the series. */
const weekly = <Row>(
  weeks: Weeks,
  rows: readonly Row[],
  series: number,
  read: (row: Row) => readonly [Timestamp, number],
) => {
  const counts = weeks.map(() => new Array<number>(series).fill(0));
  let [before, after] = [0, 0];
  for (const row of rows) {
    const [at, index] = read(row);
    const moment = millisecondsOf(at);
    const week = weekOf(weeks, moment);
    const ofWeek = week === null ? undefined : counts[week];
    if (ofWeek !== undefined) ofWeek[index] = (ofWeek[index] ?? 0) + 1;
    else if (moment < (weeks[0] ?? 0)) before += 1;
    else after += 1;
  }
  return { weeks, counts, before, after };
};

/** A card around a chart. The table of its numbers is the alternative in text, folded up except on paper. */
const chartCard = (id: string, title: string, explanation: Html, chart?: Html, table?: Html): Html =>
  html`<section class="card chart-card" aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
<p class="hint">${explanation}</p>
${chart}
${table !== undefined && html`<details><summary>Show the numbers<span class="unseen">: ${title}</span></summary>${table}</details>`}
</section>`;

/** A table of numbers: its first column names the rows. */
const numberTable = (
  caption: string,
  head: readonly string[],
  rows: readonly (readonly [name: Html, values: readonly number[]])[],
): Html => html`<table class="numbers"><caption class="unseen">${caption}</caption>
<thead><tr>${head.map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>${rows.map(
  ([name, values]) =>
    html`<tr><th scope="row">${name}</th>${values.map((value) => html`<td>${value}</td>`)}</tr>
`,
)}</tbody></table>`;

/** The values at the lines of a scale from 0, in steps of 1, 2 or 5 times a power of ten. */
const ticks = (max: number, lines = 4): readonly number[] => {
  const step = niceStep(Math.max(max, 1) / lines);
  const count = Math.ceil(Math.max(max, 1) / step);
  return Array.from({ length: count + 1 }, (_, index) => index * step);
};

/** Counts are whole numbers, so a step is one too. */
const niceStep = (least: number): number => {
  if (least <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5, 10].find((each) => each * power >= least) ?? 10;
  return factor * power;
};

/** A share as a percentage for an attribute of SVG, rounded so that markup stays short and repeatable. */
const percent = (part: number, whole: number): string =>
  `${whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100}%`;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** A bar or a column made of one part for each series. */
type Stacked = Readonly<{ name: string; values: readonly number[] }>;

/** The parts of a bar or a column; `place` returns the position and the size of one, by those before it. */
const parts = (
  { name, values }: Stacked,
  series: readonly string[],
  place: (value: number, before: number) => Html,
): readonly Html[] =>
  values.flatMap((value, index) =>
    value === 0
      ? []
      : html`<rect class="series-${index + 1}" ${place(value, sum(values.slice(0, index)))}><title>${name}, ${series[index]}: ${value}</title></rect>`,
  );

// Positions are percentages, so that a chart fits any width while its text keeps its size. A table beside it
// has the numbers.

const plotHeight = 180;
const markHeight = 22;
/** The part of the width of a column that it fills. */
const fill = 0.74;

/** Columns in a row, such as one a week, with a mark below some. `label` says what the chart shows. */
const columns = (
  label: string,
  series: readonly string[],
  data: readonly (Stacked & Readonly<{ mark: string | null }>)[],
): Html => {
  const lines = ticks(Math.max(0, ...data.map(({ values }) => sum(values))));
  const top = lines.at(-1) ?? 1;
  const height = (value: number): number => Math.round((value / top) * plotHeight * 100) / 100;
  const y = (value: number): number => Math.round((1 - value / top) * plotHeight * 100) / 100;
  return html`<div class="plot"><div class="scale" aria-hidden="true">${lines.toReversed().map((value) => html`<span>${value}</span>`)}</div>
<svg class="chart" role="img" aria-label="${label}" width="100%" height="${plotHeight + markHeight}">${lines.map(
    (value) => html`<line class="grid" x1="0" x2="100%" y1="${y(value)}" y2="${y(value)}"/>`,
  )}
${data.map((column, index) => {
  const x = left(index, data.length);
  return html`${parts(
    column,
    series,
    (value, before) =>
      html`x="${x}" y="${y(before + value)}" width="${percent(fill, data.length)}" height="${height(value)}"`,
  )}${column.mark !== null && markAt(column.mark, index, data.length)}
`;
})}</svg></div>`;
};

/** The left edge of a column. */
const left = (index: number, count: number): string => percent(index + (1 - fill) / 2, count);

/** A mark below a column; one below the last columns ends with them, so that it stays in the chart. */
const markAt = (mark: string, index: number, count: number): Html =>
  index < count - 2
    ? html`<text x="${left(index, count)}" y="${plotHeight + 17}">${mark}</text>`
    : html`<text x="${percent(index + 1 - (1 - fill) / 2, count)}" y="${plotHeight + 17}" text-anchor="end">${mark}</text>`;

/** The names of series beside their colors. */
const legend = (names: readonly string[]): Html =>
  html`<ul class="legend">${names.map(
    (name, index) =>
      html`<li><svg width="11" height="11" aria-hidden="true"><rect width="11" height="11" class="series-${index + 1}"/></svg> ${stateSign(name)}${name}</li>
`,
  )}</ul>`;

const rowHeight = 42;
const barHeight = 16;

/** Horizontal bars, each under its name and total. `label` says what the chart shows. */
const stackedBars = (label: string, series: readonly string[], bars: readonly Stacked[]): Html => {
  const max = Math.max(1, ...bars.map(({ values }) => sum(values)));
  return html`<svg class="chart" role="img" aria-label="${label}" width="100%" height="${bars.length * rowHeight}">${bars.map(
    (bar, row) => {
      const top = row * rowHeight;
      return html`<text x="0" y="${top + 14}">${bar.name}</text><text x="100%" y="${top + 14}" text-anchor="end" class="total">${sum(bar.values)}</text>
<rect class="track" x="0" y="${top + 20}" width="100%" height="${barHeight}"/>${parts(
        bar,
        series,
        (value, before) =>
          html`x="${percent(before, max)}" y="${top + 20}" width="${percent(value, max)}" height="${barHeight}"`,
      )}
`;
    },
  )}</svg>`;
};

/** Which part of a list was counted, if not all of it. */
const ofTheFirst = ({ rows, total }: ReadRows<unknown>): string =>
  rows.length < total ? ` Only the first ${grouped(rows.length)} of ${grouped(total)} were counted.` : '';

/** Findings by severity and lifecycle status. */
const severityChart = ({ bySeverity: rows }: Overview, findings: ReadRows<Finding>): Html => {
  const title = 'Findings by severity and status';
  return chartCard(
    'by-severity',
    title,
    html`Every finding, resolved ones included.${ofTheFirst(findings)}`,
    html`${legend(findingStatuses)}${stackedBars('Findings by severity, divided by status', findingStatuses, rows)}`,
    numberTable(
      title,
      ['Severity', ...findingStatuses, 'Total'],
      rows.map(({ name, values }) => [
        html`<a href="${explorerPaths.findings}${queryString({ severity: name })}">${name}</a>`,
        [...values, sum(values)],
      ]),
    ),
  );
};

const dateOf = (week: number): string => new Date(week).toISOString().slice(0, 10);

// Made once: to make it for each week took a quarter of the time for the page.
const inShort = new Intl.DateTimeFormat('en', { month: 'short', timeZone: 'UTC' });

/** A chart of counts by week, and its table. */
const weeklyCard = (
  id: string,
  title: string,
  label: string,
  series: readonly string[],
  { weeks, counts, before, after }: Weekly,
  explanation: string,
): Html => {
  const rows = weeks.map((week, index) => {
    const previous = weeks[index - 1];
    const month = inShort.format(week);
    return {
      date: dateOf(week),
      // The first week has the rest of its month beside it, so its mark could run into the next one.
      mark: previous === undefined || month === inShort.format(previous) ? null : month,
      values: counts[index] ?? [],
    };
  });
  const chart = columns(
    label,
    series,
    rows.map(({ date, mark, values }) => ({ name: `Week of ${date}`, mark, values })),
  );
  return chartCard(
    id,
    title,
    html`${explanation}${before > 0 && ` ${grouped(before)} before ${rows[0]?.date} not shown.`}${after > 0 && ` ${grouped(after)} in the future not shown.`}`,
    html`${series.length > 1 && legend(series)}${chart}`,
    numberTable(
      title,
      ['Week of', ...series],
      rows.map(({ date, values }) => [html`<time datetime="${date}">${date}</time>`, values]),
    ),
  );
};

/** The repositories with the most open advisories; the table is the chart. */
const advisoryChart = ({ topRepos, affectedRepos }: Overview): Html => {
  const [id, title] = ['by-repository', 'Repositories by open advisories'];
  const [first] = topRepos;
  if (first === undefined) return chartCard(id, title, html`No repository has an open advisory.`);
  const bars = topRepos.map(
    ({ id, owner, repo, openAdvisoryCount: count }) =>
      html`<tr><th scope="row"><a href="${findingsOf(id)}">${text(`${owner}/${repo}`)}</a></th>
<td class="bar"><svg width="100%" height="16" aria-hidden="true"><rect class="track" width="100%" height="16"/><rect class="series-1" width="${percent(count, first.openAdvisoryCount)}" height="16"/></svg></td><td>${count}</td></tr>
`,
  );
  return chartCard(
    id,
    title,
    html`<code>openAdvisoryCount</code>: the distinct advisories of findings that are not resolved. ${
      topRepos.length < affectedRepos && `The first ${topRepos.length} of ${grouped(affectedRepos)}.`
    }`,
    html`<table class="numbers bars"><caption class="unseen">${title}</caption>
<colgroup><col class="name"><col><col class="number"></colgroup>
<thead class="unseen"><tr><th scope="col">Repository</th><th scope="col" colspan="2">Open advisories</th></tr></thead>
<tbody>${bars}</tbody></table>`,
  );
};

/** The overview of a tenant: its numbers, and charts of them. */
export const overviewPage = (context: ViewContext, data: OverviewData): Html => {
  const { repos, findings, prs, openPrs } = data;
  const overview = overviewOf(data, context.now);
  const { discovered, created } = overview;
  const part = ofTheFirst(findings);
  const isEmpty = repos.length + findings.total + prs.total === 0;
  return explorerPage(
    context,
    { view: 'overview', title: 'Overview' },
    html`<ul class="tiles">
${[
  tile(repos.length, 'Repositories', explorerPaths.repos, 'connected'),
  tile(
    overview.openFindings,
    'Open findings',
    explorerPaths.findings,
    `of ${grouped(findings.total)} findings: those that are not resolved${part === '' ? '' : `.${part}`}`,
  ),
  tile(
    openPrs,
    'Open pull requests',
    `${explorerPaths.prs}${queryString({ status: 'open' })}`,
    `of ${grouped(prs.total)} pull requests`,
  ),
  tile(
    overview.failedScans,
    'Failed scans',
    explorerPaths.repos,
    'repositories whose last scan has failed or has an error',
  ),
]}</ul>
${
  isEmpty
    ? emptyState(
        'There is nothing here yet',
        html`<p>This tenant has no repositories, so there are no findings and no pull requests either. The API answers
its lists with status 200 and no items.</p>`,
      )
    : html`<div class="charts">
${severityChart(overview, findings)}
${advisoryChart(overview)}
${weeklyCard(
  'discovered',
  'Findings discovered by week',
  'Findings by the week in which they were discovered',
  ['findings'],
  discovered,
  `The last ${discovered.weeks.length} weeks, each from Monday (UTC).${part}`,
)}
${weeklyCard(
  'created',
  'Pull requests by state over time',
  'Pull requests by the week in which they were created, divided by state',
  prStates,
  created,
  `By the week of their creation and their state today, as the API’s filter maps it; “other” is any state that the filter does not match.${ofTheFirst(prs)}`,
)}
</div>
<p class="hint">Counted from the responses of the API, read page by page:
${request(operations.listConnectedRepos.path)}, ${request(`${operations.listFindings.path}?limit=${maxLimit}`)} and
${request(`${operations.listPrs.path}?limit=${maxLimit}`)}, with the session cookie.</p>`
}`,
  );
};

const request = (target: string): Html => html`<a href="${target}"><code>GET ${target}</code></a>`;

const tile = (
  count: number,
  name: string,
  path: string,
  hint: string,
): Html => html`<li class="card tile"><a href="${path}"><span class="count">${grouped(count)}</span>
<span class="name">${name}</span></a>
<span class="hint">${hint}</span></li>
`;
