import type { PrsQuery } from '../../contract/operations.js';
import type { PrPage } from '../../contract/pr.js';
import { type Html, html } from '../html.js';
import { explorerPage } from './explorer-page.js';
import { explorerPaths } from './explorer-paths.js';
import { choiceFilter, narrowedTo, repoFilter } from './filters.js';
import type { ListView } from './findings-page.js';
import { type ListPlace, pager, placeLink } from './pager.js';
import { prTable } from './pr-table.js';
import { repoNames } from './repo-names.js';
import { rowsTable } from './rows-table.js';
import type { ViewContext } from './shown.js';
import { beyondLast, emptyState, ignoredNotice } from './states.js';
import { grouped } from './values.js';

/** Values of the filter `status`, in the order of the contract. */
export const prStatuses = ['open', 'merged', 'closed'] as const;

/** What a value of the filter matches (contract, section 3.2). */
const matched: Readonly<Record<(typeof prStatuses)[number], Html>> = {
  open: html`<code>prState</code> exactly “open”`,
  merged: html`<code>prState</code> exactly “merged”`,
  closed: html`<code>prState</code> null, “closed” or “cancelled”`,
};

/** A page of pull requests, as `listPrs` answers it (contract, section 4.4). */
export const prsPage = (
  context: ViewContext,
  { request, query, answer, ignored, repos }: ListView<PrsQuery, PrPage>,
): Html => {
  const { repoId, status } = query;
  const place: ListPlace = { path: explorerPaths.prs, filters: { repoId, status }, info: answer };
  const repoName = repoNames(repos);
  return explorerPage(
    context,
    { view: 'prs', title: 'Pull requests', request },
    html`<p class="lead">${grouped(answer.totalItems)} ${status ?? null} ${answer.totalItems === 1 ? 'pull request' : 'pull requests'}${narrowedTo(repoId, repoId === undefined ? null : repoName(repoId))},
the most recently created first.</p>
${ignoredNotice(ignored)}
<div class="filters">
${choiceFilter(place, 'status', prStatuses)}
${repoFilter(place, repos)}
</div>
${
  status === undefined
    ? null
    : html`<p class="note"><code>status=${status}</code> matches ${matched[status]} (contract, section 3.2). It narrows
<code>totalItems</code> and <code>totalPages</code> too, unlike the filters of findings (section 4.4).</p>`
}
${
  answer.items.length === 0
    ? noItems(place)
    : rowsTable(prTable, answer.items, { now: context.now, repoName })
}
${answer.totalItems === 0 ? null : pager(place)}`,
  );
};

const noItems = (place: ListPlace): Html => {
  const { info, filters } = place;
  if (info.totalItems > 0) return beyondLast(place);
  if (filters.repoId !== undefined || filters.status !== undefined) {
    return emptyState(
      'No pull request matches',
      html`<p>The API answers an empty list, also for a repository that does not exist or belongs to somebody else
(contract, section 4.4).</p>
<p class="next"><a class="button" href="${placeLink(place, { filters: { repoId: undefined, status: undefined } })}">All pull requests</a></p>`,
    );
  }
  return emptyState('No pull requests yet', html`<p>The service opens them to fix findings.</p>`);
};
