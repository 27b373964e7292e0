import {
  everyRow,
  listPlaces,
  lists,
  type Mutation,
  pages,
  queries,
  type Row,
  several,
  type WrongServer,
} from '../_mutation.js';

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
export const pagingServers: readonly WrongServer[] = [
  ...listPlaces.flatMap((place): readonly WrongServer[] => [
    ['page-ignored', `${place}: page has no effect`, queries(place, (query) => query.delete('page'))],
    [
      'wrong-totals',
      `${place}: totals of a repository are larger by one`,
      pages(place, (page, { query }) =>
        query.has('repoId') ? { ...page, totalItems: page.totalItems + 1 } : page,
      ),
    ],
    [
      'repo-id-misses',
      `${place}: the newest row of a repository is not found`,
      pages(place, (page, { query }) =>
        query.has('repoId') ? { ...page, items: page.items.slice(page.page === 1 ? 1 : 0) } : page,
      ),
    ],
  ]),
  [
    'page-rows',
    'pages overlap by one row',
    beginningAt(
      'prs',
      (page, limit) => (page - 1) * limit - (page > 1 ? 1 : 0),
      (_, items) => items,
    ),
  ],
  [
    'page-rows',
    'the order changes from page to page',
    (incoming, real) =>
      ['severity', 'status', 'repoId'].some((name) => incoming.query.has(name))
        ? real(incoming.request)
        : lists('findings', (all, query) =>
            Number(query.get('page') ?? 1) % 2 === 0 ? all.toReversed() : all,
          )(incoming, real),
  ],
  [
    'limit-not-cut',
    'limit above 100 served in full',
    served('findings', (limit, totalItems) => ({ limit, totalPages: Math.ceil(totalItems / limit) })),
  ],
  [
    'limit-not-cut',
    'limit above 100 served in full, though the envelope says 100',
    served('prs', () => ({})),
  ],
  [
    'total-pages',
    'totalPages one too many if totalItems is a multiple of limit',
    pages('findings', (page) => ({ ...page, totalPages: Math.floor(page.totalItems / page.limit) + 1 })),
  ],
  ['envelope-field', 'totalPages omitted', pages('prs', ({ totalPages: _, ...page }) => page)],
  ...listPlaces.map(
    (place): WrongServer => ['page-echo', `${place}: a limit of 0 or 1.5 comes back`, uncheckedLimit(place)],
  ),
  [
    'page-rows',
    'the last page is full',
    beginningAt(
      'findings',
      (page, limit, count) => Math.min((page - 1) * limit, count - limit),
      (limit) => limit,
    ),
  ],
  ...listPlaces.map(
    (place): WrongServer => [
      'total-items',
      `${place}: totalItems counts the remaining items only`,
      pages(place, (page) => ({ ...page, totalItems: page.totalItems - (page.page - 1) * page.limit })),
    ],
  ),
  [
    'total-items',
    'prs: totalItems one too few',
    pages('prs', (page) => ({ ...page, totalItems: Math.max(0, page.totalItems - 1) })),
  ],
];
