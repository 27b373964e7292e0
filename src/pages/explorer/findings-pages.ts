import { FindingStatus, valuesOf } from '../../contract/enums.js';
import { type Finding, FindingDetail, type FindingPage } from '../../contract/finding.js';
import type { FindingsQuery } from '../../contract/operations.js';
import type { Pr } from '../../contract/pr.js';
import { type Html, html } from '../html.js';
import { explorerPaths, findingPath, findingsOf, prsOf } from '../paths.js';
import { ownParameter } from './conditions.js';
import { explorerPage, type Shown, type ShownRequest, type ViewContext } from './explorer-page.js';
import {
  fieldsOf,
  ignoredNotice,
  type ListPlace,
  type ListView,
  listPage,
  type Places,
  placeLink,
  type RowsTable,
  rowsTable,
} from './lists.js';
import { prTable } from './prs-page.js';
import {
  code,
  figure,
  grouped,
  moment,
  packageLink,
  repoLink,
  severities,
  severityMark,
  stateMark,
  stateSign,
  text,
} from './values.js';

const columns = ['Package', 'Repository', 'Severity', 'Status', 'Discovered'] as const;

/** How every field of a finding is shown (contract, section 2.2). */
const places = {
  package: { column: 'Package', show: packageLink },
  vulnerableRange: { column: 'Package', show: code },
  repoId: { column: 'Repository', show: repoLink },
  severity: { column: 'Severity', show: severityMark },
  status: { column: 'Status', show: stateMark },
  discoveredAt: { column: 'Discovered', show: moment },
  id: { column: 'more', show: code },
  advisoryId: { column: 'more', show: code },
  ecosystem: { column: 'more', show: text },
  fixedRange: { column: 'more', show: code },
  ciStatus: { column: 'more', show: text },
  reachability: { column: 'more', show: figure },
  exploitSignal: { column: 'more', show: figure },
  prCount: { column: null, show: figure },
  updatedAt: { column: 'more', show: moment },
  reconciledAt: { column: 'more', show: moment },
} satisfies Places<FindingDetail, (typeof columns)[number]>;

const findingTable: RowsTable<Finding> = {
  caption: 'Findings',
  className: 'findings',
  columns,
  places,
  nameOf: (finding) => finding.package,
  keyOf: (finding) => finding.id,
};

/** Lifecycle statuses, in the order of the contract. */
export const findingStatuses = valuesOf(FindingStatus);

/** The states of the newest pull request of each finding, by the id of the finding. */
export type PrStates = ReadonlyMap<string, string | null>;

/** A chip that leads to the pull requests of a finding. */
const prChip = (prStates: PrStates, { id, package: name }: Finding): Html | null => {
  const state = prStates.get(id);
  if (state === undefined) return null;
  return html`<a class="chip" href="${findingPath(id)}#pull-requests" title="Joined by the explorer: the API has no such field">${stateSign(state ?? 'closed')}PR ${state ?? 'null'}<span class="unseen"> for ${name}</span></a>`;
};

/** A page of findings, as `listFindings` answers it (contract, section 4.2). */
export const findingsPage = (
  context: ViewContext,
  view: ListView<FindingsQuery, FindingPage>,
  prStates: PrStates,
): Html => {
  const { repoId, severity, status } = view.query;
  return listPage(context, view, {
    view: 'findings',
    noun: 'findings',
    one: 'finding',
    order: 'the most recently discovered first',
    filters: { repoId, severity, status },
    choices: { severity: severities, status: findingStatuses, [ownParameter]: ['unresolved', 'open-pr'] },
    note: filterNote,
    table: {
      ...findingTable,
      remark: { column: 'Status', show: (finding) => prChip(prStates, finding) },
    },
    why: 'Scans of your repositories add them.',
    section: '4.2',
  });
};

/** Explains what surprises most people: the filters narrow the page, not the list. */
const filterNote = (place: ListPlace, shown: number): Html | false => {
  const { filters, info } = place;
  const { page, totalPages, totalItems } = info;
  const isNarrowed = filters.severity !== undefined || filters.status !== undefined;
  return (
    isNarrowed &&
    page <= totalPages &&
    html`<p class="note"><strong>${shown === 1 ? '1 item matches' : `${grouped(shown)} items match`} on this page.</strong>
<code>severity</code> and <code>status</code> narrow the items of the page only: <code>totalItems</code>
(${grouped(totalItems)}) and <code>totalPages</code> (${grouped(totalPages)}) ignore them (contract, section 4.2).
<a href="${placeLink(place, { filters: { [ownParameter]: 'all' } })}">Show all that match</a></p>`
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

const { id, ...others } = places;

/** The fields on the page of a finding: its id first, and no link of the page to itself. */
const detailFields = fieldsOf<FindingDetail>({ id, ...others, package: { ...places.package, show: text } });

/** One finding with the meaning of each of its fields (contract, section 4.3), and its pull requests. */
export const findingPage = (
  context: ViewContext,
  { request, finding, ignored, repoName, related }: FindingView,
): Html => {
  const { repoId } = finding;
  const shown: Shown = { now: context.now, repoName };
  return explorerPage(
    context,
    { view: 'findings', title: `${finding.package} in ${repoName(repoId) ?? repoId}`, request },
    html`<p class="lead"><a href="${explorerPaths.findings}">All findings</a> ·
<a href="${findingsOf(repoId)}">Findings of this repository</a></p>
${ignoredNotice(ignored)}
<table class="details"><caption class="unseen">Fields of the finding</caption>
<thead><tr><th scope="col">Field</th><th scope="col">Value</th><th scope="col">Meaning</th></tr></thead>
<tbody>${detailFields.map(
      (
        field,
      ) => html`<tr><th scope="row"><code>${field.name}</code></th><td>${field.show(finding, shown)}</td>
<td class="meaning">${FindingDetail.type.props[field.name].description}</td></tr>
`,
    )}</tbody></table>
<h2 id="pull-requests">Pull requests</h2>
${relatedPrs(finding, related, shown)}`,
  );
};

const relatedPrs = (finding: FindingDetail, related: PrsOfFinding | null, shown: Shown): Html => {
  const all = html`<a href="${prsOf(finding.repoId)}">All pull requests of the repository</a>`;
  if (related === null) return html`<p>They could not be read. ${all}</p>`;
  const { prs, read, total } = related;
  const missing =
    prs.length < finding.prCount &&
    read < total &&
    html`<p class="note">Of ${grouped(total)} pull requests of the repository, only the newest ${grouped(read)} were looked
through.</p>`;
  return html`<p class="hint">The API has no filter for the pull requests of a finding. These were found among those of the
repository by their <code>id</code>, which is the id of the finding: ${code(finding.id)}. ${all}</p>
${missing}
${prs.length === 0 ? html`<p>${finding.prCount === 0 ? 'This finding has none.' : 'None was found.'}</p>` : rowsTable(prTable, prs, shown)}`;
};
