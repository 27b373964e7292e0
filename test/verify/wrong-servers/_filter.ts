import {
  answersIf,
  asStatus,
  bodyOf,
  bodyWith,
  everyRow,
  lists,
  type Mutation,
  pages,
  prsOf,
  queries,
  selected,
  type WrongServer,
} from '../_mutation.js';
import { repoIdBy } from './_identity.js';

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
export const findingFilterServers: readonly WrongServer[] = [
  ['findings-filter-first', 'findings: totals after the filter', lists('findings', selected)],
  [
    'findings-filter-first',
    'findings: filtered before paging, totals right',
    pages('findings', async (page, incoming, real) => {
      const { items } = bodyOf(await lists('findings', selected)(incoming, real));
      return { ...page, items };
    }),
  ],
  [
    'refused',
    'findings: status escalated unknown',
    answersIf('findings', ({ query }) => query.get('status') === 'escalated', {
      status: 400,
      text: '{"error":"status"}',
    }),
  ],
  ['repo-id-totals', 'findings: totals ignore repoId', totalsOfAll('findings', () => true)],
  [
    'repo-id-inexact',
    'findings: repoId in any letter case',
    repoIdBy('findings', (id, repoId) => id.toLowerCase() === repoId.toLowerCase()),
  ],
  ['repo-id-error', 'findings: repoId out of scope is 404', failing('findings', 404, 'Not found')],
  ...['severity', 'status'].map(
    (name): WrongServer => [
      'together',
      `findings: with repoId and the largest pages, ${name} is ignored`,
      queries(
        'findings',
        (query) => query.has('repoId') && query.get('limit') === '100' && query.delete(name),
      ),
    ],
  ),
];

/** Filters of pull requests (contract, sections 3.2 and 4.4). */
export const prFilterServers: readonly WrongServer[] = [
  [
    'repo-id-inexact',
    'prs: repoId matches as a prefix',
    repoIdBy('prs', (id, repoId) => id.startsWith(repoId)),
  ],
  ['repo-id-error', 'prs: repoId out of scope is 403', failing('prs', 403, 'Forbidden')],
  [
    'prs-totals',
    'prs: totals are counted before the filter',
    totalsOfAll('prs', (query) => query.has('status')),
  ],
  [
    'prs-filter-late',
    'prs: paged before the filter, totals right',
    pages('prs', async (page, incoming, real) => {
      const { items } = await bodyWith(incoming, real, (query) => query.delete('status'));
      return Array.isArray(items) ? { ...page, items: selected(items, incoming.query, ['status']) } : page;
    }),
  ],
  [
    'closed-null',
    'prs: closed without null',
    prsOf((state, status) => asStatus(state) === status && state !== null),
  ],
  ...['cancelled', 'closed'].map(
    (missed): WrongServer => [
      'closed-misses',
      `prs: closed without "${missed}"`,
      prsOf((state, status) => asStatus(state) === status && state !== missed),
    ],
  ),
  [
    'status-extra',
    'prs: closed finds everything neither open nor merged',
    prsOf((state, status) =>
      status === 'closed' ? state !== 'open' && state !== 'merged' : state === status,
    ),
  ],
  [
    'status-extra',
    'prs: merged counts as closed, too',
    prsOf((state, status) => asStatus(state) === status || (status === 'closed' && state === 'merged')),
  ],
  [
    'closed-null',
    'prs: null is open',
    prsOf((state, status) => (state === null ? status === 'open' : asStatus(state) === status)),
  ],
  [
    'status-extra',
    'prs: states in any letter case',
    prsOf((state, status) => asStatus(state).toLowerCase() === status),
  ],
  [
    'status-extra',
    'prs: "canceled" counts as "cancelled"',
    prsOf((state, status) => asStatus(state === 'canceled' ? 'cancelled' : state) === status),
  ],
  ...(['open', 'merged'] as const).map(
    (none): WrongServer => [
      'status-misses',
      `prs: ${none} finds none`,
      prsOf((state, status) => status !== none && asStatus(state) === status),
    ],
  ),
];
