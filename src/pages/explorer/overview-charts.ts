import type { Finding } from '../../contract/finding.js';
import type { Pr } from '../../contract/pr.js';
import { type Html, html } from '../html.js';
import { chartCard, numberTable } from './charts/chart-card.js';
import { columns } from './charts/columns.js';
import { legend } from './charts/legend.js';
import { percent } from './charts/scale.js';
import { stackedBars } from './charts/stacked-bars.js';
import { explorerPaths, queryString } from './explorer-paths.js';
import { findingStatuses } from './findings-page.js';
import { type Overview, prStates, type ReadRows, type Weekly } from './overview.js';
import { severities } from './severity-mark.js';
import { grouped, text } from './values.js';

/** Which part of a list was counted, if not all of it. */
export const ofTheFirst = ({ rows, total }: ReadRows<unknown>): string =>
  rows.length < total ? ` Only the first ${grouped(rows.length)} of ${grouped(total)} were counted.` : '';

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** Findings by severity and lifecycle status. */
export const severityChart = ({ bySeverity }: Overview, findings: ReadRows<Finding>): Html => {
  const rows = severities.map((severity) => ({
    name: severity,
    values: findingStatuses.map((status) => bySeverity[severity][status]),
  }));
  return chartCard({
    id: 'by-severity',
    title: 'Findings by severity and status',
    explanation: html`Every finding, resolved ones included.${ofTheFirst(findings)}`,
    chart: html`${legend(findingStatuses)}${stackedBars('Findings by severity, divided by status', findingStatuses, rows)}`,
    table: numberTable(
      'Findings by severity and status',
      ['Severity', ...findingStatuses, 'Total'],
      rows.map(({ name, values }) => ({
        name: html`<a href="${explorerPaths.findings}${queryString({ severity: name })}">${name}</a>`,
        values: [...values, total(values)],
      })),
    ),
  });
};

const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const dateOf = (week: number): string => new Date(week).toISOString().slice(0, 10);

/** The name of the month in which a week begins, if the week before began in another one. */
const monthMark = (weeks: readonly number[], index: number): string | null => {
  const month = (at: number | undefined): number | null =>
    at === undefined ? null : new Date(at).getUTCMonth();
  const own = month(weeks[index]);
  // The first week has the rest of its month beside it, so its mark could run into the next one.
  return index === 0 || own === null || own === month(weeks[index - 1]) ? null : (monthNames[own] ?? null);
};

/** A chart of counts by week, and its table. */
const weeklyCard = (
  names: Readonly<{ id: string; title: string; label: string }>,
  series: readonly string[],
  { weeks, counts, before, after }: Weekly,
  explanation: string,
): Html => {
  const outside = [
    before === 0 ? '' : ` ${grouped(before)} before ${dateOf(weeks[0] ?? 0)} not shown.`,
    after === 0 ? '' : ` ${grouped(after)} in the future not shown.`,
  ].join('');
  const chart = columns(
    names.label,
    series,
    weeks.map((week, index) => ({
      name: `Week of ${dateOf(week)}`,
      mark: monthMark(weeks, index),
      values: counts[index] ?? [],
    })),
  );
  return chartCard({
    id: names.id,
    title: names.title,
    explanation: html`${explanation}${outside}`,
    chart: html`${series.length === 1 ? null : legend(series)}${chart}`,
    table: numberTable(
      names.title,
      ['Week of', ...series],
      weeks.map((week, index) => ({
        name: html`<time datetime="${dateOf(week)}">${dateOf(week)}</time>`,
        values: counts[index] ?? [],
      })),
    ),
  });
};

/** Findings by the week in which they were discovered. */
export const discoveredChart = ({ discovered }: Overview, findings: ReadRows<Finding>): Html =>
  weeklyCard(
    {
      id: 'discovered',
      title: 'Findings discovered by week',
      label: 'Findings by the week in which they were discovered',
    },
    ['findings'],
    discovered,
    `The last ${discovered.weeks.length} weeks, each from Monday (UTC).${ofTheFirst(findings)}`,
  );

/** Pull requests by the week in which they were created, divided by their state today. */
export const createdChart = ({ created }: Overview, prs: ReadRows<Pr>): Html =>
  weeklyCard(
    {
      id: 'created',
      title: 'Pull requests by state over time',
      label: 'Pull requests by the week in which they were created, divided by state',
    },
    prStates,
    created,
    `By the week of their creation and their state today, as the API’s filter maps it; “other” is any state that the filter does not match.${ofTheFirst(prs)}`,
  );

/** The repositories with the most open advisories; the table is the chart. */
export const advisoryChart = ({ topRepos, affectedRepos: affected }: Overview): Html => {
  const max = topRepos[0]?.openAdvisoryCount ?? 0;
  const bars = topRepos.map(
    ({ id, owner, repo, openAdvisoryCount }) =>
      html`<tr><th scope="row"><a href="${explorerPaths.findings}${queryString({ repoId: id })}">${text(`${owner}/${repo}`)}</a></th>
<td class="bar"><svg width="100%" height="16" aria-hidden="true"><rect class="track" width="100%" height="16"/><rect class="series-1" width="${percent(openAdvisoryCount, max)}" height="16"/></svg></td><td>${openAdvisoryCount}</td></tr>
`,
  );
  return chartCard({
    id: 'by-repository',
    title: 'Repositories by open advisories',
    explanation:
      topRepos.length === 0
        ? html`No repository has an open advisory.`
        : html`<code>openAdvisoryCount</code>: the distinct advisories of findings that are not resolved. ${
            topRepos.length < affected ? `The first ${topRepos.length} of ${grouped(affected)}.` : null
          }`,
    chart:
      topRepos.length === 0
        ? null
        : html`<table class="numbers bars"><caption class="unseen">Repositories by open advisories</caption>
<colgroup><col class="name"><col><col class="number"></colgroup>
<thead class="unseen"><tr><th scope="col">Repository</th><th scope="col" colspan="2">Open advisories</th></tr></thead>
<tbody>${bars}</tbody></table>`,
    table: null,
  });
};
