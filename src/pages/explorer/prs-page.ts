import type { PrsQuery } from '../../contract/operations.js';
import type { Pr, PrPage } from '../../contract/pr.js';
import { type Html, html } from '../html.js';
import { explorerPaths, findingPath, queryString } from '../paths.js';
import { beyondLast, emptyState, explorerPage, ignoredNotice, type ViewContext } from './explorer-page.js';
import type { ListView } from './findings-pages.js';
import {
  choiceFilter,
  type FieldViews,
  type ListPlace,
  narrowedTo,
  pager,
  placeLink,
  type RowsTable,
  repoFilter,
  repoNames,
  rowsTable,
} from './lists.js';
import { code, externalLink, flag, grouped, moment, preformatted, stateMark, text } from './values.js';

/** How each field of a pull request is shown (contract, section 2.3). */
const prFields: FieldViews<Pr> = {
  id: ({ id }) => html`<a href="${findingPath(id)}">${code(id)}</a>`,
  repoId: ({ repoId }) => code(repoId),
  repo: ({ repoId, repo }) =>
    html`<a href="${explorerPaths.prs}${queryString({ repoId })}">${text(`${repo.owner}/${repo.repo}`)}</a>`,
  advisoryId: ({ advisoryId }) => code(advisoryId),
  package: (pr) => html`<a href="${findingPath(pr.id)}">${text(pr.package)}</a>`,
  fromVersion: ({ fromVersion }) => code(fromVersion),
  toVersion: ({ toVersion }) => code(toVersion),
  branch: ({ branch }) => code(branch),
  hasCodemod: ({ hasCodemod }) => flag(hasCodemod),
  codemodSummary: ({ codemodSummary }) => preformatted(codemodSummary, 'Excerpt of the change'),
  ciStatus: ({ ciStatus }) => text(ciStatus),
  prUrl: ({ prUrl }) => externalLink(prUrl),
  prState: ({ prState }) => stateMark(prState),
  createdAt: ({ createdAt }, { now }) => moment(createdAt, now),
  updatedAt: ({ updatedAt }, { now }) => moment(updatedAt, now),
  reconciledAt: ({ reconciledAt }, { now }) => moment(reconciledAt, now),
};

/** Pull requests with every field of the contract; an excerpt of the change takes a line of its own. */
export const prTable: RowsTable<Pr> = {
  caption: 'Pull requests',
  className: 'prs',
  fields: prFields,
  columns: [
    { title: 'Package', fields: ['package', 'advisoryId', 'id'] },
    { title: 'Repository', fields: ['repo', 'repoId', 'branch', 'prUrl'] },
    { title: 'Change', fields: ['fromVersion', 'toVersion', 'hasCodemod'], isLabelled: true },
    { title: 'State', fields: ['prState', 'ciStatus'] },
    { title: 'Created', fields: ['createdAt', 'updatedAt', 'reconciledAt'] },
  ],
  below: ['codemodSummary'],
};

/** Values of the filter `status`, in the order of the contract. */
const prStatuses = ['open', 'merged', 'closed'] as const;

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
