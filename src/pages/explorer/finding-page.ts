import { FindingDetail } from '../../contract/finding.js';
import type { Pr } from '../../contract/pr.js';
import { type Html, html } from '../html.js';
import { explorerPage } from './explorer-page.js';
import { explorerPaths, queryString } from './explorer-paths.js';
import { findingFields } from './finding-table.js';
import { prTable } from './pr-table.js';
import type { ShownRequest } from './request-panel.js';
import { type FieldViews, rowsTable } from './rows-table.js';
import type { Shown, ViewContext } from './shown.js';
import { ignoredNotice } from './states.js';
import { code, figure, grouped, text } from './values.js';

/** The pull requests of a finding, as far as they were found. */
export type PrsOfFinding = Readonly<{
  prs: readonly Pr[];
  /** How many pull requests of the repository were looked through, and how many it has. */
  read: number;
  total: number;
}>;

/** What the page of a finding shows. */
export type FindingView = Readonly<{
  request: ShownRequest;
  finding: FindingDetail;
  ignored: readonly string[];
  repoName: Shown['repoName'];
  /** Null: they could not be read. */
  related: PrsOfFinding | null;
}>;

const detailFields: FieldViews<FindingDetail> = {
  ...findingFields,
  package: (finding) => text(finding.package),
  prCount: ({ prCount }) => figure(prCount),
};

const order: readonly (keyof FindingDetail)[] = [
  'id',
  'package',
  'ecosystem',
  'advisoryId',
  'severity',
  'status',
  'ciStatus',
  'repoId',
  'vulnerableRange',
  'fixedRange',
  'reachability',
  'exploitSignal',
  'prCount',
  'discoveredAt',
  'updatedAt',
  'reconciledAt',
];

/** One finding with the meaning of each of its fields (contract, section 4.3), and its pull requests. */
export const findingPage = (
  context: ViewContext,
  { request, finding, ignored, repoName, related }: FindingView,
): Html => {
  const shown: Shown = { now: context.now, repoName };
  return explorerPage(
    context,
    {
      view: 'findings',
      title: `${finding.package} in ${repoName(finding.repoId) ?? finding.repoId}`,
      request,
    },
    html`<p class="lead"><a href="${explorerPaths.findings}">All findings</a> ·
<a href="${explorerPaths.findings}${queryString({ repoId: finding.repoId })}">Findings of this repository</a></p>
${ignoredNotice(ignored)}
<table class="details"><caption class="unseen">Fields of the finding</caption>
<thead><tr><th scope="col">Field</th><th scope="col">Value</th><th scope="col">Meaning</th></tr></thead>
<tbody>${order.map(
      (
        name,
      ) => html`<tr><th scope="row"><code>${name}</code></th><td>${detailFields[name](finding, shown)}</td>
<td class="meaning">${FindingDetail.type.props[name].description}</td></tr>
`,
    )}</tbody></table>
<h2>Pull requests</h2>
${relatedPrs(finding, related, shown)}`,
  );
};

const relatedPrs = (finding: FindingDetail, related: PrsOfFinding | null, shown: Shown): Html => {
  const link = `${explorerPaths.prs}${queryString({ repoId: finding.repoId })}`;
  const all = html`<a href="${link}">All pull requests of the repository</a>`;
  if (related === null) return html`<p>They could not be read. ${all}</p>`;
  const { prs, read, total } = related;
  const missing =
    prs.length < finding.prCount && read < total
      ? html`<p class="note">Of ${grouped(total)} pull requests of the repository, only the newest ${grouped(read)} were looked
through.</p>`
      : null;
  return html`<p class="hint">The API has no filter for the pull requests of a finding. These were found among those of the
repository by their <code>id</code>, which is the id of the finding: ${code(finding.id)}. ${all}</p>
${missing}
${prs.length === 0 ? html`<p>${finding.prCount === 0 ? 'This finding has none.' : 'None was found.'}</p>` : rowsTable(prTable, prs, shown)}`;
};
