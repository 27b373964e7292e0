import { operations } from '../../contract/operations.js';
import { maxLimit } from '../../contract/page-and-limit.js';
import { type Html, html } from '../html.js';
import { explorerPage } from './explorer-page.js';
import { explorerPaths, queryString } from './explorer-paths.js';
import { type OverviewData, overviewOf } from './overview.js';
import {
  advisoryChart,
  createdChart,
  discoveredChart,
  ofTheFirst,
  severityChart,
} from './overview-charts.js';
import type { ViewContext } from './shown.js';
import { emptyState } from './states.js';
import { grouped } from './values.js';

/** The overview of a tenant: its numbers, and charts of them. */
export const overviewPage = (context: ViewContext, data: OverviewData): Html => {
  const { repos, findings, prs, openPrs } = data;
  const overview = overviewOf(data, context.now);
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
${discoveredChart(overview, findings)}
${createdChart(overview, prs)}
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
