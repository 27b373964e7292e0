import { type Finding, FindingDetail, type FindingPage } from '../../contract/finding.js';
import type { FindingsQuery } from '../../contract/operations.js';
import type { Pr } from '../../contract/pr.js';
import { type Html, html } from '../html.js';
import { explorerPaths, findingPath, queryString } from '../paths.js';
import {
  beyondLast,
  emptyState,
  explorerPage,
  ignoredNotice,
  type Shown,
  type ShownRequest,
  type ViewContext,
} from './explorer-page.js';
import {
  choiceFilter,
  type FieldViews,
  type ListPlace,
  narrowedTo,
  pager,
  placeLink,
  type RepoChoice,
  type RowsTable,
  repoFilter,
  repoNames,
  rowsTable,
} from './lists.js';
import { prTable } from './prs-page.js';
import {
  code,
  figure,
  grouped,
  moment,
  repoLink,
  severities,
  severityMark,
  stateMark,
  text,
} from './values.js';

/** How each field of a finding is shown (contract, section 2.2). */
const findingFields: FieldViews<Finding> = {
  id: ({ id }) => code(id),
  repoId: ({ repoId }, shown) => repoLink(repoId, shown),
  advisoryId: ({ advisoryId }) => code(advisoryId),
  package: (finding) => html`<a href="${findingPath(finding.id)}">${text(finding.package)}</a>`,
  ecosystem: ({ ecosystem }) => text(ecosystem),
  vulnerableRange: ({ vulnerableRange }) => code(vulnerableRange),
  fixedRange: ({ fixedRange }) => code(fixedRange),
  severity: ({ severity }) => severityMark(severity),
  reachability: ({ reachability }) => figure(reachability),
  exploitSignal: ({ exploitSignal }) => figure(exploitSignal),
  status: ({ status }) => stateMark(status),
  ciStatus: ({ ciStatus }) => text(ciStatus),
  discoveredAt: ({ discoveredAt }, { now }) => moment(discoveredAt, now),
  updatedAt: ({ updatedAt }, { now }) => moment(updatedAt, now),
  reconciledAt: ({ reconciledAt }, { now }) => moment(reconciledAt, now),
};

/** Findings with every field of the contract. */
export const findingTable: RowsTable<Finding> = {
  caption: 'Findings',
  className: 'findings',
  fields: findingFields,
  columns: [
    { title: 'Package', fields: ['package', 'ecosystem', 'advisoryId', 'id'] },
    { title: 'Repository', fields: ['repoId', 'vulnerableRange', 'fixedRange'] },
    { title: 'Severity', fields: ['severity', 'reachability', 'exploitSignal'] },
    { title: 'Status', fields: ['status', 'ciStatus'] },
    { title: 'Discovered', fields: ['discoveredAt', 'updatedAt', 'reconciledAt'] },
  ],
};

/** Lifecycle statuses, in the order of the contract. */
export const findingStatuses = ['pending', 'drafting', 'escalated', 'resolved'] as const;

/** What the page of a list shows: the request, its query and answer, and the names of repositories. */
export type ListView<Query, Page> = Readonly<{
  request: ShownRequest;
  query: Query;
  answer: Page;
  /** Parameters that the API has ignored. */
  ignored: readonly string[];
  repos: readonly RepoChoice[];
}>;

/** A page of findings, as `listFindings` answers it (contract, section 4.2). */
export const findingsPage = (
  context: ViewContext,
  { request, query, answer, ignored, repos }: ListView<FindingsQuery, FindingPage>,
): Html => {
  const { repoId, severity, status } = query;
  const place: ListPlace = {
    path: explorerPaths.findings,
    filters: { repoId, severity, status },
    info: answer,
  };
  const repoName = repoNames(repos);
  return explorerPage(
    context,
    { view: 'findings', title: 'Findings', request },
    html`<p class="lead">${grouped(answer.totalItems)} ${answer.totalItems === 1 ? 'finding' : 'findings'}${narrowedTo(repoId, repoId === undefined ? null : repoName(repoId))},
the most recently discovered first.</p>
${ignoredNotice(ignored)}
<div class="filters">
${choiceFilter(place, 'severity', severities)}
${choiceFilter(place, 'status', findingStatuses)}
${repoFilter(place, repos)}
</div>
${filterNote(place, answer.items.length)}
${
  answer.items.length === 0
    ? noItems(place)
    : rowsTable(findingTable, answer.items, { now: context.now, repoName })
}
${answer.totalItems === 0 ? null : pager(place)}`,
  );
};

const isNarrowed = ({ filters: { severity, status } }: ListPlace): boolean =>
  severity !== undefined || status !== undefined;

/** Explains what surprises most people: the filters narrow the page, not the list. */
const filterNote = (place: ListPlace, shown: number): Html | null => {
  const { page, totalPages, totalItems } = place.info;
  if (!isNarrowed(place) || page > totalPages) return null;
  return html`<p class="note"><strong>${shown === 1 ? '1 item matches' : `${grouped(shown)} items match`} on this page.</strong>
<code>severity</code> and <code>status</code> narrow the items of the page only: <code>totalItems</code>
(${grouped(totalItems)}) and <code>totalPages</code> (${grouped(totalPages)}) ignore them (contract, section 4.2).
To find all that match, go through every page.</p>`;
};

const noItems = (place: ListPlace): Html => {
  const { page, totalPages, totalItems } = place.info;
  if (totalItems === 0 && place.filters.repoId !== undefined) {
    return emptyState(
      'No findings in this repository',
      html`<p>The API answers an empty list for a repository without findings, for one that does not exist, and for
one of somebody else (contract, section 4.2).</p>
<p class="next"><a class="button" href="${placeLink(place, { filters: { repoId: undefined } })}">All repositories</a></p>`,
    );
  }
  if (totalItems === 0) {
    return emptyState('No findings yet', html`<p>Scans of your repositories add them.</p>`);
  }
  if (page > totalPages) return beyondLast(place);
  return emptyState(
    'Nothing on this page matches',
    html`<p>Other pages may have matching findings.</p>
<p class="next">${
      page < totalPages
        ? html`<a class="button" href="${placeLink(place, { page: page + 1 })}">Next page</a>`
        : html`<a class="button" href="${placeLink(place)}">First page</a>`
    }
<a class="button quiet" href="${placeLink(place, { filters: { severity: undefined, status: undefined } })}">Without these filters</a></p>`,
  );
};

/** The pull requests of a finding, as far as they were found. */
export type PrsOfFinding = Readonly<{
  prs: readonly Pr[];
  /** How many pull requests of the repository were looked through, and how many it has. */
  read: number;
  total: number;
}>;

/** What the page of a finding shows. */
type FindingView = Readonly<{
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
