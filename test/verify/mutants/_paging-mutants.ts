import type { Mutant } from '../_mutant.js';
import { everyRow, isAt, lists, pages, queries } from '../_mutation.js';

/** How lists are cut into pages (contract, sections 2.4 and 8). */
export const pagingMutants: readonly Mutant[] = [
  [
    'pages count from 0',
    queries('findings', (query) => query.set('page', String(Number(query.get('page') ?? 1) + 1))),
    'findings.envelope.page',
    'findings.paging.total',
  ],
  [
    'one row too few on every page',
    pages('findings', (page) => ({ ...page, items: page.items.slice(0, -1) })),
    'findings.envelope.items',
    'findings.paging.total',
  ],
  [
    'pages overlap by one row',
    async (asked, real) => {
      if (!isAt('prs', asked) || asked.query.size !== 2) return real(asked.request);
      const [page, limit] = [Number(asked.query.get('page')), Number(asked.query.get('limit'))];
      const all = await everyRow(asked, real);
      const start = Math.max(0, (page - 1) * limit - (page > 1 ? 1 : 0));
      return pages('prs', (envelope) => ({
        ...envelope,
        items: all.slice(start, start + envelope.items.length),
      }))(asked, real);
    },
    'prs.paging.partition',
  ],
  [
    'the order changes from page to page',
    async (asked, real) => {
      if (
        !isAt('findings', asked) ||
        asked.query.has('severity') ||
        asked.query.has('status') ||
        asked.query.has('repoId')
      )
        return real(asked.request);
      return lists('findings', (all, query) =>
        Number(query.get('page') ?? 1) % 2 === 0 ? [...all].reverse() : all,
      )(asked, real);
    },
    'findings.paging.ids',
    'findings.paging.partition',
  ],
  [
    'limit above 100 in full',
    async (asked, real) => {
      const limit = Number(asked.query.get('limit'));
      if (!isAt('findings', asked) || limit <= 100) return real(asked.request);
      const items = (await everyRow(asked, real)).slice(0, limit);
      return pages('findings', (page) => ({
        ...page,
        items,
        limit,
        totalPages: Math.ceil(page.totalItems / limit),
      }))(asked, real);
    },
    'findings.paging.maximum-limit',
  ],
  [
    'limit above 100 in full, though it says 100',
    async (asked, real) => {
      const limit = Number(asked.query.get('limit'));
      if (!isAt('prs', asked) || limit <= 100) return real(asked.request);
      const items = (await everyRow(asked, real)).slice(0, limit);
      return pages('prs', (page) => ({ ...page, items }))(asked, real);
    },
    'prs.paging.maximum-limit',
  ],
  [
    'at most 50',
    queries('prs', (query) => query.set('limit', String(Math.min(50, Number(query.get('limit') ?? 25))))),
    'prs.envelope.items',
    'prs.envelope.limit',
  ],
  [
    '20 by default',
    queries('findings', (query) => query.has('limit') || query.set('limit', '20')),
    'findings.envelope.items',
    'findings.envelope.limit',
    'findings.paging.default-limit',
  ],
  [
    'limit echoes the items of the page',
    pages('findings', (page) => ({ ...page, limit: page.items.length })),
    'findings.envelope.limit',
    'findings.envelope.total-pages',
  ],
  [
    'page counted from 0 in the envelope',
    pages('prs', (page) => ({ ...page, page: page.page - 1 })),
    'prs.envelope.page',
    'prs.paging.default-page',
  ],
  [
    'totalPages one too many when it divides',
    pages('findings', (page) => ({ ...page, totalPages: Math.floor(page.totalItems / page.limit) + 1 })),
    'findings.envelope.total-pages',
  ],
  [
    'totalPages rounded down',
    pages('prs', (page) => ({ ...page, totalPages: Math.floor(page.totalItems / page.limit) })),
    'prs.envelope.total-pages',
  ],
  [
    'totalPages left out',
    pages('prs', ({ totalPages: _, ...page }) => page),
    'prs.envelope.fields',
    'prs.envelope.total-pages',
  ],
  [
    'totalItems of the page alone',
    pages('prs', (page) => ({ ...page, totalItems: page.items.length, totalPages: 1 })),
    'prs.paging.partition',
  ],
  [
    'totalItems one too many',
    pages('findings', (page) => ({
      ...page,
      totalItems: page.totalItems + 1,
      totalPages: Math.ceil((page.totalItems + 1) / page.limit),
    })),
    'findings.paging.total',
  ],
  [
    'the last page is full',
    async (asked, real) => {
      const [page, limit] = [Number(asked.query.get('page') ?? 1), Number(asked.query.get('limit') ?? 25)];
      if (!isAt('findings', asked) || asked.query.size !== 2 || limit > 100) return real(asked.request);
      const all = await everyRow(asked, real);
      const start = Math.max(0, Math.min((page - 1) * limit, all.length - limit));
      return pages('findings', (envelope) => ({
        ...envelope,
        items: page * limit - limit < all.length ? all.slice(start, start + limit) : [],
      }))(asked, real);
    },
    'findings.envelope.items',
    'findings.paging.ids',
  ],
  [
    'totalItems counts what is left',
    pages('findings', (page) => ({ ...page, totalItems: page.totalItems - (page.page - 1) * page.limit })),
    'findings.paging.total-constant',
  ],
  [
    'prs: totalItems counts what is left',
    pages('prs', (page) => ({ ...page, totalItems: page.totalItems - (page.page - 1) * page.limit })),
    'prs.paging.total-constant',
  ],
  [
    'prs: totalItems one too few',
    pages('prs', (page) => ({ ...page, totalItems: Math.max(0, page.totalItems - 1) })),
    'prs.paging.total',
  ],
  [
    'prs: 20 by default',
    queries('prs', (query) => query.has('limit') || query.set('limit', '20')),
    'prs.paging.default-limit',
  ],
];
