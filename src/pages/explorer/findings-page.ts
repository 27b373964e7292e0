import type { FindingPage } from '../../contract/finding.js';
import type { FindingsQuery } from '../../contract/operations.js';
import { type Html, html } from '../html.js';
import { explorerPage } from './explorer-page.js';
import { explorerPaths } from './explorer-paths.js';
import { choiceFilter, narrowedTo, type RepoChoice, repoFilter } from './filters.js';
import { findingTable } from './finding-table.js';
import { type ListPlace, pager, placeLink } from './pager.js';
import { repoNames } from './repo-names.js';
import type { ShownRequest } from './request-panel.js';
import { rowsTable } from './rows-table.js';
import { severities } from './severity-mark.js';
import type { ViewContext } from './shown.js';
import { beyondLast, emptyState, ignoredNotice } from './states.js';
import { grouped } from './values.js';

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
