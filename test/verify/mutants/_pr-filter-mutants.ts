import type { Mutant } from '../_mutant.js';
import {
  bodyOf,
  everyRow,
  having,
  isAt,
  lists,
  type Mutation,
  pages,
  queries,
  type Row,
} from '../_mutation.js';
import { asStatus, repoIdBy } from '../_values.js';

/** Pull requests filtered by another rule for status. */
const prsBy = (isIn: (state: unknown, status: string) => boolean): Mutation =>
  lists('prs', (all, query) =>
    all
      .filter(having(query, 'repoId'))
      .filter(({ prState }) => !query.has('status') || isIn(prState, query.get('status') ?? '')),
  );

/** Filters of pull requests (contract, sections 3.2 and 4.4). */
export const prFilterMutants: readonly Mutant[] = [
  [
    'prs: repoId ignored',
    queries('prs', (query) => query.delete('repoId')),
    'prs.repo-id',
    'prs.repo-id-unknown',
  ],
  ['prs: repoId as a beginning', repoIdBy('prs', (id, asked) => id.startsWith(asked)), 'prs.repo-id-exact'],
  [
    'prs: repoId out of scope is 403',
    async (asked, real) => {
      const answer = await real(asked.request);
      const isEmpty = isAt('prs', asked) && asked.query.has('repoId') && bodyOf(answer).totalItems === 0;
      return isEmpty ? { ...answer, status: 403, text: '{"error":"Forbidden"}' } : answer;
    },
    'isolation.prs.repo-id',
    'prs.repo-id-exact',
    'prs.repo-id-unknown',
  ],
  [
    'prs: status ignored',
    queries('prs', (query) => query.delete('status')),
    'prs.filtered-totals',
    'prs.status.open.only',
    'prs.status.merged.only',
    'prs.status.closed.only',
  ],
  [
    'prs: totals before the filter',
    async (asked, real) => {
      const total = isAt('prs', asked) ? (await everyRow(asked, real)).length : 0;
      const isFiltered = asked.query.has('status');
      return pages('prs', (page) =>
        isFiltered ? { ...page, totalItems: total, totalPages: Math.ceil(total / page.limit) } : page,
      )(asked, real);
    },
    'prs.envelope.items',
    'prs.filtered-totals',
    'prs.repo-id-and-status',
  ],
  [
    'prs: paged before the filter, totals right',
    async (asked, real) => {
      const status = asked.query.get('status');
      if (!isAt('prs', asked) || status === null) return real(asked.request);
      const query = new URLSearchParams(asked.query);
      query.delete('status');
      const whole = bodyOf(await real({ ...asked.request, target: `${asked.path}?${query}` }));
      const items = (Array.isArray(whole.items) ? whole.items : []).filter(
        ({ prState }: Row) => asStatus(prState) === status,
      );
      return pages('prs', (page) => ({ ...page, items }))(asked, real);
    },
    'prs.envelope.items',
    'prs.filter-before-paging',
  ],
  [
    'prs: closed without null',
    prsBy((state, status) => asStatus(state) === status && state !== null),
    'prs.filtered-totals',
    'prs.status.closed.finds-null',
  ],
  [
    'prs: closed without "cancelled"',
    prsBy((state, status) => asStatus(state) === status && state !== 'cancelled'),
    'prs.filtered-totals',
    'prs.status.closed.finds-cancelled',
  ],
  [
    'prs: closed without "closed"',
    prsBy((state, status) => asStatus(state) === status && state !== 'closed'),
    'prs.filtered-totals',
    'prs.status.closed.finds-closed',
  ],
  [
    'prs: closed is all that is neither open nor merged',
    prsBy((state, status) =>
      status === 'closed' ? state !== 'open' && state !== 'merged' : state === status,
    ),
    'prs.filtered-totals',
    'prs.status.other-states',
  ],
  [
    'prs: merged counts as closed, too',
    prsBy((state, status) => asStatus(state) === status || (status === 'closed' && state === 'merged')),
    'prs.filtered-totals',
    'prs.status.closed.only',
  ],
  [
    'prs: null is open',
    prsBy((state, status) => (state === null ? status === 'open' : asStatus(state) === status)),
    'prs.filtered-totals',
    'prs.status.closed.finds-null',
    'prs.status.open.only',
  ],
  [
    'prs: states in any letter case',
    prsBy((state, status) => asStatus(state).toLowerCase() === status),
    'prs.filtered-totals',
    'prs.status.other-states',
  ],
  [
    'prs: "canceled" counts as "cancelled"',
    prsBy((state, status) => asStatus(state === 'canceled' ? 'cancelled' : state) === status),
    'prs.filtered-totals',
    'prs.status.other-states',
  ],
  [
    'prs: with repoId, status is forgotten',
    queries('prs', (query) => query.has('repoId') && query.delete('status')),
    'prs.repo-id-and-status',
  ],
];
