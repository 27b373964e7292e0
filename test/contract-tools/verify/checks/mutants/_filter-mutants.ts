import {
  answers,
  bodyOf,
  everyRow,
  having,
  isAt,
  lists,
  type Mutant,
  type Mutation,
  pages,
  queries,
  type Row,
} from '../../_mutation.js';
import { asStatus, repoIdBy } from '../../_values.js';

/** Filters of findings (contract, section 4.2). */
export const findingFilterMutants: readonly Mutant[] = [
  [
    'findings-filter-first: findings: totals after the filter',
    lists('findings', (all, query) =>
      all.filter(having(query, 'repoId')).filter(having(query, 'severity')).filter(having(query, 'status')),
    ),
    'findings.filtered-totals',
    'findings.filter-after-paging',
  ],
  [
    'findings-filter-first: findings: filtered before paging, totals right',
    async (incoming, real) => {
      const narrowed = lists('findings', (all, query) =>
        all.filter(having(query, 'repoId')).filter(having(query, 'severity')).filter(having(query, 'status')),
      );
      const answer = await narrowed(incoming, real);
      if (!isAt('findings', incoming) || answer.status !== 200 || incoming.request.method !== 'GET')
        return answer;
      const { items } = bodyOf(answer);
      return pages('findings', (page) => ({ ...page, items }))(incoming, real);
    },
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
    answers('findings', (answer, { query }) =>
      query.get('status') === 'escalated' ? { ...answer, status: 400, text: '{"error":"status"}' } : answer,
    ),
    'findings.filtered-totals',
    'findings.parameters',
    'findings.status',
  ],
  [
    'repo-id-totals: findings: totals ignore repoId',
    async (incoming, real) => {
      const total = isAt('findings', incoming) ? (await everyRow(incoming, real)).length : 0;
      return pages('findings', (page) => ({
        ...page,
        totalItems: total,
        totalPages: Math.ceil(total / page.limit),
      }))(incoming, real);
    },
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
    async (incoming, real) => {
      const answer = await real(incoming.request);
      const isEmpty =
        isAt('findings', incoming) && incoming.query.has('repoId') && bodyOf(answer).totalItems === 0;
      return isEmpty ? { ...answer, status: 404, text: '{"error":"Not found"}' } : answer;
    },
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

/** Pull requests with another rule for the filter status. */
const prsBy = (isIn: (state: unknown, status: string) => boolean): Mutation =>
  lists('prs', (all, query) =>
    all
      .filter(having(query, 'repoId'))
      .filter(({ prState }) => !query.has('status') || isIn(prState, query.get('status') ?? '')),
  );

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
    async (incoming, real) => {
      const answer = await real(incoming.request);
      const isEmpty =
        isAt('prs', incoming) && incoming.query.has('repoId') && bodyOf(answer).totalItems === 0;
      return isEmpty ? { ...answer, status: 403, text: '{"error":"Forbidden"}' } : answer;
    },
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
    async (incoming, real) => {
      const total = isAt('prs', incoming) ? (await everyRow(incoming, real)).length : 0;
      const isFiltered = incoming.query.has('status');
      return pages('prs', (page) =>
        isFiltered ? { ...page, totalItems: total, totalPages: Math.ceil(total / page.limit) } : page,
      )(incoming, real);
    },
    'prs.envelope.items',
    'prs.filtered-totals',
    'prs.repo-id-and-status',
  ],
  [
    'prs-filter-late: prs: paged before the filter, totals right',
    async (incoming, real) => {
      const status = incoming.query.get('status');
      if (!isAt('prs', incoming) || status === null) return real(incoming.request);
      const query = new URLSearchParams(incoming.query);
      query.delete('status');
      const whole = bodyOf(await real({ ...incoming.request, target: `${incoming.path}?${query}` }));
      const items = (Array.isArray(whole.items) ? whole.items : []).filter(
        ({ prState }: Row) => asStatus(prState) === status,
      );
      return pages('prs', (page) => ({ ...page, items }))(incoming, real);
    },
    'prs.envelope.items',
    'prs.filter-before-paging',
  ],
  [
    'closed-null: prs: closed without null',
    prsBy((state, status) => asStatus(state) === status && state !== null),
    'prs.filtered-totals',
    'prs.status.closed.finds-null',
  ],
  [
    'closed-misses: prs: closed without "cancelled"',
    prsBy((state, status) => asStatus(state) === status && state !== 'cancelled'),
    'prs.filtered-totals',
    'prs.status.closed.finds-cancelled',
  ],
  [
    'closed-misses: prs: closed without "closed"',
    prsBy((state, status) => asStatus(state) === status && state !== 'closed'),
    'prs.filtered-totals',
    'prs.status.closed.finds-closed',
  ],
  [
    'status-extra: prs: closed finds everything neither open nor merged',
    prsBy((state, status) =>
      status === 'closed' ? state !== 'open' && state !== 'merged' : state === status,
    ),
    'prs.filtered-totals',
    'prs.status.other-states',
  ],
  [
    'status-extra: prs: merged counts as closed, too',
    prsBy((state, status) => asStatus(state) === status || (status === 'closed' && state === 'merged')),
    'prs.filtered-totals',
    'prs.status.closed.only',
  ],
  [
    'closed-null: prs: null is open',
    prsBy((state, status) => (state === null ? status === 'open' : asStatus(state) === status)),
    'prs.filtered-totals',
    'prs.status.closed.finds-null',
    'prs.status.open.only',
  ],
  [
    'status-extra: prs: states in any letter case',
    prsBy((state, status) => asStatus(state).toLowerCase() === status),
    'prs.filtered-totals',
    'prs.status.other-states',
  ],
  [
    'status-extra: prs: "canceled" counts as "cancelled"',
    prsBy((state, status) => asStatus(state === 'canceled' ? 'cancelled' : state) === status),
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
      prsBy((state, status) => status !== none && asStatus(state) === status),
      `prs.status.${none}.finds-${none}`,
    ],
  ),
];
