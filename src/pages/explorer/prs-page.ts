import type { PrsQuery } from '../../contract/operations.js';
import type { Pr, PrPage } from '../../contract/pr.js';
import { type Html, html } from '../html.js';
import { findingPath, prsOf } from '../paths.js';
import { emptyState, type Shown, type ViewContext } from './explorer-page.js';
import {
  beyondLast,
  fieldsOf,
  type ListPlace,
  type ListView,
  listPage,
  placeLink,
  type RowsTable,
} from './lists.js';
import { code, externalLink, flag, moment, packageLink, preformatted, stateMark, text } from './values.js';

const show = fieldsOf<Pr>();

const repoPrs = ({ owner, repo }: Pr['repo'], _: Shown, { repoId }: Pr): Html =>
  html`<a href="${prsOf(repoId)}">${text(`${owner}/${repo}`)}</a>`;

/** Pull requests with every field of the contract (section 2.3). */
export const prTable: RowsTable<Pr> = {
  caption: 'Pull requests',
  className: 'prs',
  columns: [
    {
      title: 'Package',
      fields: [
        show(packageLink, 'package'),
        show(code, 'advisoryId'),
        show((id) => html`<a href="${findingPath(id)}">${code(id)}</a>`, 'id'),
      ],
    },
    {
      title: 'Repository',
      fields: [show(repoPrs, 'repo'), show(code, 'repoId', 'branch'), show(externalLink, 'prUrl')],
    },
    {
      title: 'Change',
      fields: [show(code, 'fromVersion', 'toVersion'), show(flag, 'hasCodemod')],
      isLabelled: true,
    },
    { title: 'State', fields: [show(stateMark, 'prState'), show(text, 'ciStatus')] },
    { title: 'Created', fields: [show(moment, 'createdAt', 'updatedAt', 'reconciledAt')] },
  ],
  below: show((summary) => preformatted(summary, 'Excerpt of the change'), 'codemodSummary'),
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
export const prsPage = (context: ViewContext, view: ListView<PrsQuery, PrPage>): Html => {
  const { repoId, status } = view.query;
  return listPage(context, view, {
    view: 'prs',
    title: 'Pull requests',
    noun: `${status ?? ''} ${view.answer.totalItems === 1 ? 'pull request' : 'pull requests'}`,
    order: 'the most recently created first',
    filters: { repoId, status },
    choices: { status: prStatuses },
    note: () =>
      status !== undefined &&
      html`<p class="note"><code>status=${status}</code> matches ${matched[status]} (contract, section 3.2). It narrows
<code>totalItems</code> and <code>totalPages</code> too, unlike the filters of findings (section 4.4).</p>`,
    table: prTable,
    noItems,
  });
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
