import {
  answersIf,
  asStatus,
  bodies,
  bodyOf,
  bodyWith,
  each,
  envelopes,
  everyRow,
  items,
  listPlaces,
  lists,
  type Mutation,
  matching,
  pages,
  prsOf,
  queries,
  type Row,
  refusal,
  selected,
  serversOf,
  several,
  type WrongServer,
  when,
} from '../_mutation.js';

type Place = (typeof listPlaces)[number];
type Condition = (query: URLSearchParams) => boolean;

const has =
  (...names: readonly string[]): Condition =>
  (query) =>
    names.every((name) => query.has(name));

/** A mistake that only queries show that meet a condition. */
const whenAsked = (isMeant: Condition, mutation: Mutation): Mutation =>
  when(({ query }) => isMeant(query), mutation);

/** `limit` counts as what `Number` makes of it: 0 and 1.5 come back, with `totalPages` made of them. */
const uncheckedLimit = (place: Place): Mutation => {
  const limitOf = (query: URLSearchParams): number => Number(query.get('limit') ?? 25);
  const isValid: Condition = (query) => Number.isInteger(limitOf(query)) && limitOf(query) > 0;
  return several(
    queries(place, (query) => isValid(query) || query.delete('limit')),
    envelopes(place, ({ totalItems }, { query }) =>
      isValid(query) ? {} : { limit: limitOf(query), totalPages: Math.ceil(totalItems / limitOf(query)) },
    ),
  );
};

/** Pages of the whole list that begin at another row. */
const beginningAt = (
  place: Place,
  startOf: (page: number, limit: number, count: number) => number,
  lengthOf: (limit: number, items: number) => number,
): Mutation =>
  envelopes(place, async ({ page, limit, items }, incoming, real) => {
    const all = incoming.query.size === 2 ? await everyRow(incoming, real) : [];
    if ((page - 1) * limit >= all.length) return {};
    const start = Math.max(0, startOf(page, limit, all.length));
    return { items: all.slice(start, start + lengthOf(limit, items.length)) };
  });

/** A limit above the maximum is served in full; `change` is made of the envelope. */
const served = (
  place: Place,
  change: (limit: number, totalItems: number) => Row,
  select = (rows: readonly Row[], _: URLSearchParams) => rows,
): Mutation =>
  envelopes(place, async ({ totalItems }, incoming, real) => {
    const limit = Number(incoming.query.get('limit'));
    if (limit <= 100) return {};
    const rows = select(await everyRow(incoming, real), incoming.query);
    return { items: rows.slice(0, limit), ...change(limit, totalItems) };
  });

/** How lists are divided into pages (contract, sections 2.4 and 8). */
export const pagingServers: readonly WrongServer[] = [
  ...each(listPlaces, (place) => ({
    'page-ignored: *: page has no effect': queries(place, (query) => query.delete('page')),
    'wrong-totals: *: totals of a repository are larger by one': whenAsked(
      has('repoId'),
      envelopes(place, ({ totalItems }) => ({ totalItems: totalItems + 1 })),
    ),
    'repo-id-misses: *: the newest row of a repository is not found': items(
      place,
      (_, query, { page }, index) => index > 0 || page > 1 || !query.has('repoId'),
    ),
    'page-echo: *: a limit of 0 or 1.5 comes back': uncheckedLimit(place),
    'total-items: *: totalItems counts the remaining items only': envelopes(
      place,
      ({ totalItems, page, limit }) => ({ totalItems: totalItems - (page - 1) * limit }),
    ),
  })),
  ...serversOf({
    'page-rows: pages overlap by one row': beginningAt(
      'prs',
      (page, limit) => (page - 1) * limit - (page > 1 ? 1 : 0),
      (_, items) => items,
    ),
    'page-rows: the order changes from page to page': whenAsked(
      (query) => !['severity', 'status', 'repoId'].some((name) => query.has(name)),
      lists('findings', (all, query) => (Number(query.get('page') ?? 1) % 2 === 0 ? all.toReversed() : all)),
    ),
    'limit-not-cut: limit above 100 served in full': served('findings', (limit, totalItems) => ({
      limit,
      totalPages: Math.ceil(totalItems / limit),
    })),
    'limit-not-cut: limit above 100 served in full, though the envelope says 100': served('prs', () => ({})),
    'total-pages: totalPages one too many if totalItems is a multiple of limit': envelopes(
      'findings',
      ({ totalItems, limit }) => ({ totalPages: Math.floor(totalItems / limit) + 1 }),
    ),
    'page-rows: the last page is full': beginningAt(
      'findings',
      (page, limit, count) => Math.min((page - 1) * limit, count - limit),
      (limit) => limit,
    ),
    'total-items: prs: totalItems one too few': envelopes('prs', ({ totalItems }) => ({
      totalItems: Math.max(0, totalItems - 1),
    })),
  }),
];

/** Totals that count those rows that have the value of each of these filters. */
const totalsBy = (place: Place, isWhen: Condition, names: readonly string[]): Mutation =>
  envelopes(place, async ({ limit }, incoming, real) => {
    if (!isWhen(incoming.query)) return {};
    const totalItems = selected(await everyRow(incoming, real), incoming.query, names).length;
    return { totalItems, totalPages: Math.ceil(totalItems / limit) };
  });

/** An empty page for a repoId is a failure instead. */
const failing = (place: Place, status: number, error: string): Mutation =>
  answersIf(place, ({ query }, answer) =>
    query.has('repoId') && bodyOf(answer).totalItems === 0 ? refusal(status, error) : {},
  );

/** Filters of findings (contract, section 4.2). */
export const findingFilterServers: readonly WrongServer[] = [
  ...serversOf({
    'findings-filter-first: findings: totals after the filter': lists('findings', selected),
    'findings-filter-first: findings: filtered before paging, totals right': envelopes(
      'findings',
      async (_, incoming, real) => ({
        items: bodyOf(await lists('findings', selected)(incoming, real)).items,
      }),
    ),
    'refused: findings: status escalated unknown': answersIf('findings', ({ query }) =>
      query.get('status') === 'escalated' ? refusal(400, 'status') : {},
    ),
    'repo-id-error: findings: repoId out of scope is 404': failing('findings', 404, 'Not found'),
  }),
  ...each(['severity', 'status'], (name) => ({
    'together: findings: with repoId and the largest pages, * is ignored': queries(
      'findings',
      (query) => query.has('repoId') && query.get('limit') === '100' && query.delete(name),
    ),
  })),
];

/** Filters of pull requests (contract, sections 3.2 and 4.4). */
export const prFilterServers: readonly WrongServer[] = [
  ...serversOf({
    'repo-id-error: prs: repoId out of scope is 403': failing('prs', 403, 'Forbidden'),
    'prs-totals: prs: totals are counted before the filter': totalsBy('prs', has('status'), []),
    'prs-filter-late: prs: paged before the filter, totals right': envelopes(
      'prs',
      async (_, incoming, real) => {
        const { items } = await bodyWith(incoming, real, (query) => query.delete('status'));
        return { items: selected(Object(items), incoming.query, ['status']) };
      },
    ),
    'closed-null: prs: closed without null': prsOf(
      (state, status) => asStatus(state) === status && state !== null,
    ),
    'status-extra: prs: closed finds everything neither open nor merged': prsOf((state, status) =>
      status === 'closed' ? state !== 'open' && state !== 'merged' : state === status,
    ),
    'status-extra: prs: merged counts as closed, too': prsOf(
      (state, status) => asStatus(state) === status || (status === 'closed' && state === 'merged'),
    ),
    'closed-null: prs: null is open': prsOf(
      (state, status) => (state === null ? 'open' : asStatus(state)) === status,
    ),
    'status-extra: prs: states in any letter case': prsOf(
      (state, status) => asStatus(state).toLowerCase() === status,
    ),
    'status-extra: prs: "canceled" counts as "cancelled"': prsOf(
      (state, status) => asStatus(state === 'canceled' ? 'cancelled' : state) === status,
    ),
  }),
  ...each(['cancelled', 'closed'], (missed) => ({
    'closed-misses: prs: closed without "*"': prsOf(
      (state, status) => asStatus(state) === status && state !== missed,
    ),
  })),
  ...each(['open', 'merged'], (none) => ({
    'status-misses: prs: * finds none': prsOf(
      (state, status) => status !== none && asStatus(state) === status,
    ),
  })),
];

const parameters = {
  findings: ['repoId', 'severity', 'status', 'page', 'limit'],
  prs: ['repoId', 'status', 'page', 'limit'],
} as const;

/** The filters that the totals count. */
const counted = { findings: ['repoId'], prs: ['repoId', 'status'] } as const;

/** Every two different parameters of each list. */
const pairs = listPlaces.flatMap((place) =>
  parameters[place].flatMap((one) =>
    parameters[place].filter((other) => other !== one).map((other) => [place, one, other] as const),
  ),
);

/** Sends the items for another query, though the envelope is that of the right answer. */
const itemsOf = (place: Place, isWhen: Condition, change: (query: URLSearchParams) => void): Mutation =>
  envelopes(place, async ({ items }, incoming, real) =>
    isWhen(incoming.query) ? { items: (await bodyWith(incoming, real, change)).items ?? items } : {},
  );

const ignoring = (place: Place, name: string, isWhen: Condition): Mutation =>
  itemsOf(place, isWhen, (query) => query.delete(name));

/** All requests for whole lists have page and limit: a filter that they switch off never has an effect. */
const ignoredWith = (name: string, other: string) => {
  if (name === 'page' && other === 'limit') return 'page-ignored';
  if (name === 'page' || name === 'limit' || !['page', 'limit'].includes(other)) return 'together';
  return name === 'repoId' ? 'repo-id-inexact' : 'filter-ignored';
};

/** What two parameters do to each other. */
const inPairs = pairs.flatMap(([place, one, other]) => {
  const both = has(one, other);
  const uncounted = counted[place].filter((each) => each !== one);
  const [isFilter, isCounted] = [
    !['page', 'limit'].includes(one),
    counted[place].some((each) => each === one),
  ];
  return serversOf({
    [`${ignoredWith(one, other)}: ${place}: ${one} is ignored together with ${other}`]: ignoring(
      place,
      one,
      both,
    ),
    ...(isFilter &&
      other === 'page' && {
        [`together: ${place}: ${one} is ignored on every page but the first`]: ignoring(
          place,
          one,
          (query) => query.has(one) && Number(query.get('page') ?? 1) > 1,
        ),
      }),
    ...(isCounted && {
      [`${one === 'repoId' ? 'repo-id-totals' : 'prs-totals'}: ${place}: ${one} is not counted in the totals together with ${other}`]:
        totalsBy(place, both, uncounted),
    }),
    ...(isFilter &&
      !isCounted && {
        [`findings-totals: ${place}: ${one} counts in the totals together with ${other}`]: totalsBy(
          place,
          both,
          ['repoId', one],
        ),
      }),
    ...(one < other && {
      [`refused: ${place}: ${one} and ${other} together are refused`]: answersIf(
        place,
        ({ query }, { status }) => (status === 200 && both(query) ? refusal(400, 'too many parameters') : {}),
      ),
    }),
    ...(one === 'limit' && {
      [`limit-not-cut: ${place}: a limit above 100 is honoured together with ${other}`]: whenAsked(
        has(other),
        served(place, (limit) => ({ limit }), selected),
      ),
    }),
  });
});

/** Parameters that are wrong in combination only (contract, sections 4.2 and 4.4). */
export const combinationServers: readonly WrongServer[] = [
  ...inPairs,
  ...serversOf({
    'together: findings: severity=low finds nothing together with status': items(
      'findings',
      (_, query) => query.get('severity') !== 'low' || !query.has('status'),
    ),
    'together: findings: status=resolved is ignored together with severity': ignoring(
      'findings',
      'status',
      (query) => query.get('status') === 'resolved' && query.has('severity'),
    ),
    'filter-ignored: findings: status is ignored together with limit=100': ignoring(
      'findings',
      'status',
      (query) => query.get('limit') === '100' && query.has('status'),
    ),
    'together: findings: page=3 together with severity returns page 2': itemsOf(
      'findings',
      (query) => query.get('page') === '3' && query.has('severity'),
      (query) => query.set('page', '2'),
    ),
    'together: prs: repoId is ignored together with status=closed': ignoring(
      'prs',
      'repoId',
      (query) => query.get('status') === 'closed' && query.has('repoId'),
    ),
    'prs-totals: prs: status=merged is not counted together with repoId': totalsBy(
      'prs',
      (query) => query.get('status') === 'merged' && query.has('repoId'),
      ['repoId'],
    ),
    'together: findings: with page and status, matching rows of the next page are added': envelopes(
      'findings',
      async ({ items }, incoming, real) => {
        if (!has('status', 'page')(incoming.query)) return {};
        const following = String(Number(incoming.query.get('page')) + 1);
        const next = await bodyWith(incoming, real, (query) => query.set('page', following));
        return { items: [...items, ...Object(next.items)].slice(0, 5) };
      },
    ),
  }),
];

/** An envelope with figures of that without a filter, if the request has it. */
const figuresWithout = (place: Place, filter: string, figuresOf: (whole: Row) => Row): Mutation =>
  whenAsked(
    has(filter),
    envelopes(place, async (_, incoming, real) =>
      figuresOf(await bodyWith(incoming, real, (query) => query.delete(filter))),
    ),
  );

/** Mistakes as they are often made, in either list and in filters. */
export const everydayLists: readonly WrongServer[] = [
  ...each(listPlaces, (place) => ({
    'page-base: *: page=0 is the first page, and the default': queries(place, (query) =>
      query.set('page', String(Number(query.get('page') ?? 0) + 1)),
    ),
    'default-limit: *: a default limit of 50': queries(
      place,
      (query) => query.has('limit') || query.set('limit', '50'),
    ),
    'limit-cut-early: *: a maximum limit of 60': queries(place, (query) =>
      query.set('limit', String(Math.min(60, Number(query.get('limit') ?? 25)))),
    ),
    'total-items: *: totalItems is larger by three': envelopes(place, ({ totalItems }) => ({
      totalItems: totalItems + 3,
    })),
    'page-echo: *: page is always 1 in the envelope': envelopes(place, () => ({ page: 1 })),
    'page-echo: *: limit is always 25 in the envelope': envelopes(place, () => ({ limit: 25 })),
    'page-echo: *: page of the envelope counts from 0': envelopes(place, ({ page }) => ({ page: page - 1 })),
    'page-rows: *: the first row of later pages is lost': items(
      place,
      (_, _query, { page }, index) => index > 0 || page === 1,
    ),
    'default-page: *: without page, the third page is sent': queries(
      place,
      (query) => query.has('page') || query.set('page', '3'),
    ),
    'server-error: *: the server fails for one of its filters': answersIf(place, ({ query }) =>
      ['low', 'open'].includes(query.get('severity') ?? query.get('status') ?? '')
        ? refusal(500, 'Internal server error')
        : {},
    ),
    'envelope-field: *: total and pages instead of totalItems and totalPages': pages(
      place,
      ({ totalItems: total, totalPages, ...page }) => ({ ...page, total, pages: totalPages }),
    ),
    'repo-id-totals: *: repoId narrows the items alone': figuresWithout(
      place,
      'repoId',
      ({ totalItems, totalPages }) => ({ totalItems, totalPages }),
    ),
  })),
  ...each(['severity', 'status'], (name) => ({
    'findings-filter-first: findings: filtered before paging by *': whenAsked(
      has(name),
      lists('findings', selected),
    ),
  })),
  ...serversOf({
    'prs-filter-late: prs: each page keeps the items that match, totals are of all': several(
      figuresWithout('prs', 'status', (whole) => whole),
      matching('prs', ['status']),
    ),
    'list-form: repos as a page': bodies('repos', (items) => {
      return { items, page: 1, limit: 25, totalItems: 9, totalPages: 1 };
    }),
  }),
  ...each(['closed', 'cancelled'], (state) => ({
    'closed-misses: prs: pages of closed lack those whose state is *, totals are right': items(
      'prs',
      ({ prState }, query) => query.get('status') !== 'closed' || prState !== state,
    ),
  })),
];
