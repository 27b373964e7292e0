import {
  answersIf,
  asStatus,
  bodyOf,
  bodyWith,
  everyRow,
  lists,
  type Mutant,
  type Mutation,
  pages,
  prsOf,
  queries,
  selected,
} from '../../_mutation.js';
import { repoIdBy } from './_identity-mutants.js';

/** An empty page for a repoId is a failure instead. */
const failing = (place: 'findings' | 'prs', status: number, error: string): Mutation =>
  answersIf(place, ({ query }, answer) => query.has('repoId') && bodyOf(answer).totalItems === 0, {
    status,
    text: JSON.stringify({ error }),
  });

/** Totals of all rows, if the request has a parameter. */
const totalsOfAll = (place: 'findings' | 'prs', isWhen: (query: URLSearchParams) => boolean): Mutation =>
  pages(place, async (page, incoming, real) => {
    if (!isWhen(incoming.query)) return page;
    const totalItems = (await everyRow(incoming, real)).length;
    return { ...page, totalItems, totalPages: Math.ceil(totalItems / page.limit) };
  });

/** Filters of findings (contract, section 4.2). */
export const findingFilterMutants: readonly Mutant[] = [
  [
    'findings-filter-first: findings: totals after the filter',
    lists('findings', selected),
    'findings.filtered-totals',
    'findings.filter-after-paging',
  ],
  [
    'findings-filter-first: findings: filtered before paging, totals right',
    pages('findings', async (page, incoming, real) => {
      const { items } = bodyOf(await lists('findings', selected)(incoming, real));
      return { ...page, items };
    }),
    'findings.filter-after-paging',
  ],
  [
    'filter-ignored: findings: severity ignored',
    queries('findings', (query) => query.delete('severity')),
    'findings.severity',
    'findings.severity-and-status',
  ],
  [
    'filter-ignored: findings: status ignored',
    queries('findings', (query) => query.delete('status')),
    'findings.severity-and-status',
    'findings.status',
  ],
  [
    'together: findings: either severity or status',
    queries('findings', (query) => query.has('severity') && query.delete('status')),
    'findings.severity-and-status',
  ],
  [
    'refused: findings: status escalated unknown',
    answersIf('findings', ({ query }) => query.get('status') === 'escalated', {
      status: 400,
      text: '{"error":"status"}',
    }),
    'findings.filtered-totals',
    'findings.parameters',
    'findings.status',
  ],
  [
    'repo-id-totals: findings: totals ignore repoId',
    totalsOfAll('findings', () => true),
    'findings.repo-id',
    'findings.repo-id-unknown',
  ],
  [
    'repo-id-ignored: findings: repoId ignored',
    queries('findings', (query) => query.delete('repoId')),
    'findings.repo-id',
    'findings.repo-id-unknown',
  ],
  [
    'repo-id-inexact: findings: repoId in any letter case',
    repoIdBy('findings', (id, repoId) => id.toLowerCase() === repoId.toLowerCase()),
    'findings.repo-id-exact',
  ],
  [
    'repo-id-error: findings: repoId out of scope is 404',
    failing('findings', 404, 'Not found'),
    'findings.repo-id-exact',
    'findings.repo-id-unknown',
    'isolation.findings.repo-id',
  ],
  ...['severity', 'status'].map(
    (name): Mutant => [
      `together: findings: with repoId and the largest pages, ${name} is ignored`,
      queries(
        'findings',
        (query) => query.has('repoId') && query.get('limit') === '100' && query.delete(name),
      ),
      'findings.repo-id-and-filter',
    ],
  ),
];

/** Filters of pull requests (contract, sections 3.2 and 4.4). */
export const prFilterMutants: readonly Mutant[] = [
  [
    'repo-id-ignored: prs: repoId ignored',
    queries('prs', (query) => query.delete('repoId')),
    'prs.repo-id',
    'prs.repo-id-unknown',
  ],
  [
    'repo-id-inexact: prs: repoId matches as a prefix',
    repoIdBy('prs', (id, repoId) => id.startsWith(repoId)),
    'prs.repo-id-exact',
  ],
  [
    'repo-id-error: prs: repoId out of scope is 403',
    failing('prs', 403, 'Forbidden'),
    'isolation.prs.repo-id',
    'prs.repo-id-exact',
    'prs.repo-id-unknown',
  ],
  [
    'filter-ignored: prs: status ignored',
    queries('prs', (query) => query.delete('status')),
    'prs.filtered-totals',
    'prs.status.open.only',
    'prs.status.merged.only',
    'prs.status.closed.only',
  ],
  [
    'prs-totals: prs: totals are counted before the filter',
    totalsOfAll('prs', (query) => query.has('status')),
    'prs.envelope.items',
    'prs.filtered-totals',
    'prs.repo-id-and-status',
  ],
  [
    'prs-filter-late: prs: paged before the filter, totals right',
    pages('prs', async (page, incoming, real) => {
      const { items } = await bodyWith(incoming, real, (query) => query.delete('status'));
      return Array.isArray(items) ? { ...page, items: selected(items, incoming.query, ['status']) } : page;
    }),
    'prs.envelope.items',
    'prs.filter-before-paging',
  ],
  [
    'closed-null: prs: closed without null',
    prsOf((state, status) => asStatus(state) === status && state !== null),
    'prs.filtered-totals',
    'prs.status.closed.finds-null',
  ],
  ...['cancelled', 'closed'].map(
    (missed): Mutant => [
      `closed-misses: prs: closed without "${missed}"`,
      prsOf((state, status) => asStatus(state) === status && state !== missed),
      'prs.filtered-totals',
      `prs.status.closed.finds-${missed}`,
    ],
  ),
  [
    'status-extra: prs: closed finds everything neither open nor merged',
    prsOf((state, status) =>
      status === 'closed' ? state !== 'open' && state !== 'merged' : state === status,
    ),
    'prs.filtered-totals',
    'prs.status.other-states',
  ],
  [
    'status-extra: prs: merged counts as closed, too',
    prsOf((state, status) => asStatus(state) === status || (status === 'closed' && state === 'merged')),
    'prs.filtered-totals',
    'prs.status.closed.only',
  ],
  [
    'closed-null: prs: null is open',
    prsOf((state, status) => (state === null ? status === 'open' : asStatus(state) === status)),
    'prs.filtered-totals',
    'prs.status.closed.finds-null',
    'prs.status.open.only',
  ],
  [
    'status-extra: prs: states in any letter case',
    prsOf((state, status) => asStatus(state).toLowerCase() === status),
    'prs.filtered-totals',
    'prs.status.other-states',
  ],
  [
    'status-extra: prs: "canceled" counts as "cancelled"',
    prsOf((state, status) => asStatus(state === 'canceled' ? 'cancelled' : state) === status),
    'prs.filtered-totals',
    'prs.status.other-states',
  ],
  [
    'together: prs: with repoId, status is ignored',
    queries('prs', (query) => query.has('repoId') && query.delete('status')),
    'prs.repo-id-and-status',
  ],
  ...(['open', 'merged'] as const).map(
    (none): Mutant => [
      `status-misses: prs: ${none} finds none`,
      prsOf((state, status) => status !== none && asStatus(state) === status),
      `prs.status.${none}.finds-${none}`,
    ],
  ),
];
