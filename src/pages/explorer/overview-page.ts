import { millisecondsOf, type Timestamp } from '../../contract/codecs/timestamp.js';
import { type PrStatus, prStatusOf } from '../../contract/enums.js';
import type { Finding } from '../../contract/finding.js';
import { operations } from '../../contract/operations.js';
import { maxLimit } from '../../contract/page-and-limit.js';
import type { Pr } from '../../contract/pr.js';
import type { Repo } from '../../contract/repo.js';
import { type Html, html } from '../html.js';
import { explorerPaths, queryString } from '../paths.js';
import { findingConditions, ownParameter, repoConditions, week } from './conditions.js';
import { emptyState, explorerPage, type ViewContext } from './explorer-page.js';
import { findingStatuses } from './findings-pages.js';
import { grouped, severities, stateSign, text } from './values.js';

/** The first Monday of the epoch: 5 January 1970. */
const firstMonday = (4 / 7) * week;

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
  const affected = repos.filter(({ openAdvisoryCount }) => openAdvisoryCount > 0);
  const unresolved = findings.rows.filter(findingConditions(new Set()).unresolved);
  return {
    openFindings: unresolved.length,
    criticalFindings: unresolved.filter(({ severity }) => severity === 'critical').length,
    failedScans: repos.filter(repoConditions.failed).length,
    // Of each severity, by status.
    bySeverity: severities.map((severity) => {
      const own = findings.rows.filter((each) => each.severity === severity);
      const values = findingStatuses.map((status) => own.filter((each) => each.status === status).length);
      return { name: severity, values };
    }),
    discovered: weekly(now, findings.rows, 1, ({ discoveredAt }) => [discoveredAt, 0]),
    // By state, in the order of `prStates`.
    created: weekly(now, prs.rows, prStates.length, ({ createdAt, prState }) => [
      createdAt,
      prStates.indexOf(prStatusOf(prState) ?? 'other'),
    ]),
    topRepos: affected.toSorted((l, r) => r.openAdvisoryCount - l.openAdvisoryCount).slice(0, shownRepos),
    affectedRepos: affected.length,
  };
};

/** Counts by week, and of what is before or after all of the weeks. */
type Weekly = ReturnType<typeof weekly>;

/**
 * Counts rows by series in the current week and those before it, each from Monday 00:00 UTC, the oldest
 * first; `read` returns the moment of a row and the index of its series.
 */
const weekly = <Row>(
  now: number,
  rows: readonly Row[],
  series: number,
  read: (row: Row) => readonly [Timestamp, number],
) => {
  const current = Math.floor((now - firstMonday) / week);
  const first = firstMonday + (current - shownWeeks + 1) * week;
  const weeks = Array.from({ length: shownWeeks }, (_, index) => ({
    begin: first + index * week,
    values: new Array<number>(series).fill(0),
  }));
  let [before, after] = [0, 0];
  for (const row of rows) {
    const [at, index] = read(row);
    const number = Math.floor((millisecondsOf(at) - first) / week);
    const values = weeks[number]?.values;
    if (values !== undefined) values[index] = (values[index] ?? 0) + 1;
    else if (number < 0) before += 1;
    else after += 1;
  }
  return { weeks, before, after };
};

/** A card around a chart. The table of its numbers is the alternative in text, folded up except on paper. */
const chartCard = (id: string, title: string, explanation: Html, chart?: Html, table?: Html): Html =>
  html`<section class="card chart-card" aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
<p class="hint">${explanation}</p>
${chart}
${table !== undefined && html`<details><summary>Show the numbers<span class="unseen">: ${title}</span></summary>${table}</details>`}
</section>`;

/** So many rows of a list, and the page that has them. */
type Counted = readonly [count: number, path: string];

/** The rows of a list that the explorer itself finds, on all of its pages. */
const listOf =
  (path: string) =>
  (rows: string, filters: Readonly<Record<string, string>> = {}): string =>
    `${path}${queryString({ ...filters, [ownParameter]: rows })}`;
const findingsIn = listOf(explorerPaths.findings);
const prsIn = listOf(explorerPaths.prs);

/** A table of numbers, each of which leads to the rows that it counts: its first column names the rows. */
const numberTable = (
  caption: string,
  head: readonly string[],
  rows: readonly (readonly [name: Html, values: readonly Counted[]])[],
): Html => html`<table class="numbers"><caption class="unseen">${caption}</caption>
<thead><tr>${head.map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>${rows.map(
  ([name, values]) =>
    html`<tr><th scope="row">${name}</th>${values.map(([count, path]) => html`<td>${count === 0 ? count : html`<a href="${path}">${count}</a>`}</td>`)}</tr>
`,
)}</tbody></table>`;

/** The values at the lines of a scale from 0, in steps of 1, 2 or 5 times a power of ten. */
const ticks = (max: number, lines = 4): readonly number[] => {
  // Counts are whole numbers, so a step is one too.
  const least = Math.max(max / lines, 1);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * ([1, 2, 5].find((each) => each * power >= least) ?? 10);
  return Array.from({ length: Math.ceil(Math.max(max, 1) / step) + 1 }, (_, index) => index * step);
};

/** A share as a percentage for an attribute of SVG, rounded so that markup stays short and repeatable. */
const percent = (part: number, whole: number): string =>
  `${whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100}%`;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Each series has a texture besides its color; the first one is plain. */
const textures = html`<svg class="unseen" aria-hidden="true"><defs>${['M0 6L6 0', 'M0 3H6', 'M3 0V6'].map(
  (path, index) =>
    html`<pattern id="texture-${index + 2}" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="6" height="6" class="series-${index + 2}"/><path d="${path}"/></pattern>`,
)}</defs></svg>`;

const fillOf = (index: number): Html =>
  index === 0 ? html`class="series-1"` : html`fill="url(#texture-${index + 1})"`;

/** A mark of a chart: it leads to the rows that it counts, and says how many at the pointer and the focus. */
const mark = (path: string, says: string, tip: Html, parts: Html | readonly Html[]): Html =>
  html`<a href="${path}" aria-label="${says}">${parts}<text class="tip">${tip}</text></a>`;

// Positions are percentages of the width, and heights are in rem as text is, so that a chart fits any width
// and any size of text. A table beside it has the numbers.

const rem = (size: number): string => `${Math.round(size * 1000) / 1000}rem`;

const plotHeight = 11.25;
const markHeight = 1.4;
/** The part of the width of a column that it fills. */
const fill = 0.74;

/** A column made of a part for each series, such as one a week, perhaps with a text below it. */
type Column = Readonly<{ name: string; values: readonly number[]; path: string; label: string | null }>;

/** Columns in a row. `label` says what the chart shows. */
const columns = (label: string, series: readonly string[], data: readonly Column[]): Html => {
  const lines = ticks(Math.max(0, ...data.map(({ values }) => sum(values))));
  const top = lines.at(-1) ?? 1;
  const height = (value: number): string => rem((value / top) * plotHeight);
  const y = (value: number): string => rem((1 - value / top) * plotHeight);
  const columnOf = ({ name, values, path, label }: Column, index: number): Html => {
    const x = left(index, data.length);
    const rects = values.flatMap((value, each) =>
      value === 0
        ? []
        : html`<rect ${fillOf(each)} x="${x}" y="${y(sum(values.slice(0, each + 1)))}" width="${percent(fill, data.length)}" height="${height(value)}"/>`,
    );
    const figures = series.flatMap((each, at) => (values[at] ? `${values[at]} ${each}` : [])).join(', ');
    const side = index < data.length / 2 ? html`x="0"` : html`x="100%" text-anchor="end"`;
    const tip = html`<tspan ${side} y="-1.2rem">${name}</tspan><tspan ${side} y="-.2rem">${figures}</tspan>`;
    return html`${rects.length > 0 && mark(path, `${name}: ${figures}`, tip, rects)}${label !== null && labelAt(label, index, data.length)}
`;
  };
  return html`<div class="plot"><div class="scale" aria-hidden="true">${lines.toReversed().map((value) => html`<span>${value}</span>`)}</div>
<svg class="chart" role="group" aria-label="${label}" width="100%" height="${rem(plotHeight + markHeight)}">${lines.map(
    (value) => html`<line class="grid" x1="0" x2="100%" y1="${y(value)}" y2="${y(value)}"/>`,
  )}
${data.map(columnOf)}</svg></div>`;
};

/** The left edge of a column. */
const left = (index: number, count: number): string => percent(index + (1 - fill) / 2, count);

/** A text below a column; one below the last columns ends with them, so that it stays in the chart. */
const labelAt = (label: string, index: number, count: number): Html => {
  const place =
    index < count - 2
      ? html`x="${left(index, count)}"`
      : html`x="${percent(index + 1 - (1 - fill) / 2, count)}" text-anchor="end"`;
  return html`<text y="${rem(plotHeight + 1.06)}" ${place}>${label}</text>`;
};

/** The names of series beside their colors and textures. */
const legend = (names: readonly string[]): Html =>
  html`<ul class="legend">${names.map(
    (name, index) =>
      html`<li><svg width="16" height="11" aria-hidden="true"><rect width="16" height="11" ${fillOf(index)}/></svg> ${stateSign(name)}${name}</li>
`,
  )}</ul>`;

const rowHeight = 2.625;
const barHeight = 1;

/** Horizontal bars of counted parts, each under its name and total. `label` says what the chart shows. */
const stackedBars = (
  label: string,
  series: readonly string[],
  bars: readonly Readonly<{ name: string; values: readonly Counted[] }>[],
): Html => {
  const totals = bars.map(({ values }) => sum(values.map(([count]) => count)));
  const max = Math.max(1, ...totals);
  return html`<svg class="chart" role="group" aria-label="${label}" width="100%" height="${rem(bars.length * rowHeight)}">${bars.map(
    ({ name, values }, row) => {
      const top = row * rowHeight;
      const size = html`y="${rem(top + 1.25)}" height="${rem(barHeight)}"`;
      let before = 0;
      return html`<text x="0" y="${rem(top + 0.875)}">${name}</text><text x="100%" y="${rem(top + 0.875)}" text-anchor="end" class="total">${totals[row]}</text>
<rect class="track" x="0" width="100%" ${size}/>${values.flatMap(([count, path], index) => {
        if (count === 0) return [];
        const rect = html`<rect ${fillOf(index)} x="${percent(before, max)}" width="${percent(count, max)}" ${size}/>`;
        before += count;
        const says = `${name}, ${series[index]}: ${count}`;
        const tip = html`<tspan x="50%" y="${rem(top + 0.875)}" text-anchor="middle">${says}</tspan>`;
        return mark(path, says, tip, rect);
      })}
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
  const bars = rows.map(({ name: severity, values }) => ({
    name: severity,
    values: findingStatuses.map(
      (status, index): Counted => [values[index] ?? 0, findingsIn('all', { severity, status })],
    ),
  }));
  return chartCard(
    'by-severity',
    title,
    html`Every finding, resolved ones included.${ofTheFirst(findings)}`,
    html`${legend(findingStatuses)}${stackedBars('Findings by severity, divided by status', findingStatuses, bars)}`,
    numberTable(
      title,
      ['Severity', ...findingStatuses, 'Total'],
      bars.map(({ name, values }) => {
        const total = sum(values.map(([count]) => count));
        return [html`${name}`, [...values, [total, findingsIn('all', { severity: name })]]];
      }),
    ),
  );
};

// Made once: to make it for each week took a quarter of the time for the page.
const inShort = new Intl.DateTimeFormat('en', { month: 'short', timeZone: 'UTC' });

/** A chart of counts by week, and its table. */
const weeklyCard = (
  id: string,
  title: string,
  label: string,
  series: readonly (readonly [name: string, pathOf: (week: string) => string])[],
  { weeks, before, after }: Weekly,
  pathOf: (week: string) => string,
  explanation: string,
): Html => {
  const names = series.map(([name]) => name);
  const rows = weeks.map(({ begin, values }, index) => {
    const previous = weeks[index - 1]?.begin;
    const month = inShort.format(begin);
    const date = new Date(begin).toISOString().slice(0, 10);
    return {
      date,
      name: `Week of ${date}`,
      // The first week has the rest of its month beside it, so its mark could run into the next one.
      label: previous === undefined || month === inShort.format(previous) ? null : month,
      values,
      path: pathOf(date),
    };
  });
  return chartCard(
    id,
    title,
    html`${explanation}${before > 0 && ` ${grouped(before)} before ${rows[0]?.date} not shown.`}${after > 0 && ` ${grouped(after)} in the future not shown.`}`,
    html`${series.length > 1 && legend(names)}${columns(label, names, rows)}`,
    numberTable(
      title,
      ['Week of', ...names],
      rows.map(({ date, values }) => [
        html`<time datetime="${date}">${date}</time>`,
        series.map(([, to], index) => [values[index] ?? 0, to(date)]),
      ]),
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
      html`<tr><th scope="row"><a href="${findingsIn('unresolved', { repoId: id })}">${text(`${owner}/${repo}`)}</a></th>
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
    html`${textures}<ul class="tiles">
${[
  tile(
    overview.criticalFindings,
    'Critical, open',
    findingsIn('unresolved', { severity: 'critical' }),
    'critical findings that are not resolved',
  ),
  tile(repos.length, 'Repositories', explorerPaths.repos, 'connected'),
  tile(
    overview.openFindings,
    'Open findings',
    findingsIn('unresolved'),
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
    `${explorerPaths.repos}${queryString({ [ownParameter]: 'failed' })}`,
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
  [['findings', findingsIn]],
  discovered,
  findingsIn,
  `The last ${discovered.weeks.length} weeks, each from Monday (UTC).${part}`,
)}
${weeklyCard(
  'created',
  'Pull requests by state over time',
  'Pull requests by the week in which they were created, divided by state',
  prStates.map((state) => [
    state,
    (week) => (state === 'other' ? prsIn(`${week},other`) : prsIn(week, { status: state })),
  ]),
  created,
  prsIn,
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
