import {
  everyRow,
  listPlaces,
  lists,
  type Mutant,
  type Mutation,
  pages,
  queries,
  type Row,
  several,
} from '../../_mutation.js';

/** `limit` counts as what `Number` makes of it: 0 and 1.5 come back, with `totalPages` made of them. */
const uncheckedLimit = (place: 'findings' | 'prs'): Mutation => {
  const limitOf = (query: URLSearchParams): number => Number(query.get('limit') ?? 25);
  const isValid = (limit: number): boolean => Number.isInteger(limit) && limit > 0;
  return several(
    queries(place, (query) => {
      if (!isValid(limitOf(query))) query.delete('limit');
    }),
    pages(place, (page, { query }) => {
      const limit = limitOf(query);
      return isValid(limit) ? page : { ...page, limit, totalPages: Math.ceil(page.totalItems / limit) };
    }),
  );
};

/** Pages of the whole list that begin at another row. */
const beginningAt = (
  place: 'findings' | 'prs',
  startOf: (page: number, limit: number, count: number) => number,
  lengthOf: (limit: number, items: number) => number,
): Mutation =>
  pages(place, async (page, incoming, real) => {
    const all = incoming.query.size === 2 ? await everyRow(incoming, real) : [];
    if ((page.page - 1) * page.limit >= all.length) return page;
    const start = Math.max(0, startOf(page.page, page.limit, all.length));
    return { ...page, items: all.slice(start, start + lengthOf(page.limit, page.items.length)) };
  });

/** A limit above the maximum is served in full; `change` is made of the envelope. */
const served = (place: 'findings' | 'prs', change: (limit: number, totalItems: number) => Row): Mutation =>
  pages(place, async (page, incoming, real) => {
    const limit = Number(incoming.query.get('limit'));
    if (limit <= 100) return page;
    const items = (await everyRow(incoming, real)).slice(0, limit);
    return { ...page, items, ...change(limit, page.totalItems) };
  });

/** How lists are divided into pages (contract, sections 2.4 and 8). */
export const pagingMutants: readonly Mutant[] = [
  [
    'page-base: pages count from 0',
    queries('findings', (query) => query.set('page', String(Number(query.get('page') ?? 1) + 1))),
    'findings.envelope.page',
    'findings.paging.total',
  ],
  [
    'page-rows: one row is missing on every page',
    pages('findings', (page) => ({ ...page, items: page.items.slice(0, -1) })),
    'findings.envelope.items',
    'findings.paging.total',
  ],
  [
    'page-rows: pages overlap by one row',
    beginningAt(
      'prs',
      (page, limit) => (page - 1) * limit - (page > 1 ? 1 : 0),
      (_, items) => items,
    ),
    'prs.paging.partition',
  ],
  [
    'page-rows: the order changes from page to page',
    (incoming, real) =>
      ['severity', 'status', 'repoId'].some((name) => incoming.query.has(name))
        ? real(incoming.request)
        : lists('findings', (all, query) =>
            Number(query.get('page') ?? 1) % 2 === 0 ? all.toReversed() : all,
          )(incoming, real),
    'findings.paging.ids',
    'findings.paging.partition',
  ],
  [
    'limit-not-cut: limit above 100 served in full',
    served('findings', (limit, totalItems) => ({ limit, totalPages: Math.ceil(totalItems / limit) })),
    'findings.paging.maximum-limit',
  ],
  [
    'limit-not-cut: limit above 100 served in full, though the envelope says 100',
    served('prs', () => ({})),
    'prs.paging.maximum-limit',
  ],
  [
    'limit-cut-early: prs: a maximum limit of 50',
    queries('prs', (query) => query.set('limit', String(Math.min(50, Number(query.get('limit') ?? 25))))),
    'prs.envelope.items',
    'prs.envelope.limit',
  ],
  [
    'default-limit: findings: a default limit of 20',
    queries('findings', (query) => query.has('limit') || query.set('limit', '20')),
    'findings.envelope.items',
    'findings.envelope.limit',
    'findings.paging.default-limit',
  ],
  [
    'page-echo: limit echoes the items of the page',
    pages('findings', (page) => ({ ...page, limit: page.items.length })),
    'findings.envelope.limit',
    'findings.envelope.total-pages',
  ],
  [
    'page-echo: page counted from 0 in the envelope',
    pages('prs', (page) => ({ ...page, page: page.page - 1 })),
    'prs.envelope.page',
    'prs.paging.default-page',
  ],
  [
    'total-pages: totalPages one too many if totalItems is a multiple of limit',
    pages('findings', (page) => ({ ...page, totalPages: Math.floor(page.totalItems / page.limit) + 1 })),
    'findings.envelope.total-pages',
  ],
  [
    'total-pages: totalPages rounded down',
    pages('prs', (page) => ({ ...page, totalPages: Math.floor(page.totalItems / page.limit) })),
    'prs.envelope.total-pages',
  ],
  [
    'envelope-field: totalPages omitted',
    pages('prs', ({ totalPages: _, ...page }) => page),
    'prs.envelope.fields',
    'prs.envelope.total-pages',
  ],
  ...listPlaces.map(
    (place): Mutant => [
      `page-echo: ${place}: a limit of 0 or 1.5 comes back`,
      uncheckedLimit(place),
      `${place}.envelope.fields`,
    ],
  ),
  [
    'total-items: totalItems of the page alone',
    pages('prs', (page) => ({ ...page, totalItems: page.items.length, totalPages: 1 })),
    'prs.paging.partition',
  ],
  [
    'total-items: totalItems one too many',
    pages('findings', (page) => ({
      ...page,
      totalItems: page.totalItems + 1,
      totalPages: Math.ceil((page.totalItems + 1) / page.limit),
    })),
    'findings.paging.total',
  ],
  [
    'page-rows: the last page is full',
    beginningAt(
      'findings',
      (page, limit, count) => Math.min((page - 1) * limit, count - limit),
      (limit) => limit,
    ),
    'findings.envelope.items',
    'findings.paging.ids',
  ],
  [
    'total-items: totalItems counts the remaining items only',
    pages('findings', (page) => ({ ...page, totalItems: page.totalItems - (page.page - 1) * page.limit })),
    'findings.paging.total-constant',
  ],
  [
    'total-items: prs: totalItems counts the remaining items only',
    pages('prs', (page) => ({ ...page, totalItems: page.totalItems - (page.page - 1) * page.limit })),
    'prs.paging.total-constant',
  ],
  [
    'total-items: prs: totalItems one too few',
    pages('prs', (page) => ({ ...page, totalItems: Math.max(0, page.totalItems - 1) })),
    'prs.paging.total',
  ],
  [
    'default-limit: prs: a default limit of 20',
    queries('prs', (query) => query.has('limit') || query.set('limit', '20')),
    'prs.paging.default-limit',
  ],
  [
    'default-page: findings: the second page is the default',
    queries('findings', (query) => query.has('page') || query.set('page', '2')),
    'findings.paging.default-page',
  ],
];
