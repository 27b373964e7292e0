import {
  answers,
  answersIf,
  authorizationOf,
  bearerOf,
  bearerPlaces,
  bodies,
  bodyWith,
  everyRow,
  failures,
  field,
  type IncomingRequest,
  isAt,
  letIn,
  listPlaces,
  lists,
  type Mutation,
  others,
  own,
  pages,
  places,
  queries,
  type Row,
  requests,
  selected,
  sessionOf,
  several,
  sorted,
  text,
  type WrongServer,
} from '../_mutation.js';

const isOther = (incoming: IncomingRequest): boolean =>
  /large/.test(sessionOf(incoming) + authorizationOf(incoming));

/** The same request by the other tenant. */
const asOther = (incoming: IncomingRequest): IncomingRequest => ({
  ...incoming,
  request: { ...incoming.request, headers: isOther(incoming) ? own : others },
});

/** A list of the rows of both tenants, whoever asks, that some filters select. */
const ofEverybody =
  (place: 'findings' | 'prs', filters: readonly string[]): Mutation =>
  async (incoming, real) => {
    const foreign = isAt(place, incoming) ? await everyRow(asOther(incoming), real) : [];
    return lists(place, (all, query) => selected([...all, ...foreign], query, filters))(incoming, real);
  };

/** An envelope that is made of that without a filter, if the request has it. */
const figuresWithout = (place: 'findings' | 'prs', filter: string, change: (page: Row, whole: Row) => Row) =>
  pages(place, async (page, incoming, real) =>
    incoming.query.has(filter)
      ? change(page, await bodyWith(incoming, real, (query) => query.delete(filter)))
      : page,
  );

const broken = { status: 500, text: '{"error":"Internal server error"}' };

/** Mistakes of whole lists, which servers make in either of them. */
const ofLists = listPlaces.flatMap((place): readonly WrongServer[] => [
  [
    'page-base',
    `${place}: page=0 is the first page, and the default`,
    queries(place, (query) => query.set('page', String(Number(query.get('page') ?? 0) + 1))),
  ],
  [
    'default-limit',
    `${place}: a default limit of 50`,
    queries(place, (query) => query.has('limit') || query.set('limit', '50')),
  ],
  [
    'limit-cut-early',
    `${place}: a maximum limit of 60`,
    queries(place, (query) => query.set('limit', String(Math.min(60, Number(query.get('limit') ?? 25))))),
  ],
  [
    'total-items',
    `${place}: totalItems is larger by three`,
    pages(place, (page) => ({ ...page, totalItems: page.totalItems + 3 })),
  ],
  ['page-echo', `${place}: page is always 1 in the envelope`, pages(place, (page) => ({ ...page, page: 1 }))],
  [
    'page-echo',
    `${place}: limit is always 25 in the envelope`,
    pages(place, (page) => ({ ...page, limit: 25 })),
  ],
  [
    'page-echo',
    `${place}: page of the envelope counts from 0`,
    pages(place, (page) => ({ ...page, page: page.page - 1 })),
  ],
  [
    'page-rows',
    `${place}: the first row of later pages is lost`,
    pages(place, (page) => ({ ...page, items: page.items.slice(page.page > 1 ? 1 : 0) })),
  ],
  [
    'default-page',
    `${place}: without page, the third page is sent`,
    queries(place, (query) => query.has('page') || query.set('page', '3')),
  ],
  [
    'server-error',
    `${place}: the server fails for one of its filters`,
    answersIf(
      place,
      ({ query }) => ['low', 'open'].includes(query.get('severity') ?? query.get('status') ?? ''),
      broken,
    ),
  ],
  [
    'envelope-field',
    `${place}: total and pages instead of totalItems and totalPages`,
    pages(place, ({ totalItems, totalPages, ...page }) => ({
      ...page,
      total: totalItems,
      pages: totalPages,
    })),
  ],
  [
    'repo-id-totals',
    `${place}: repoId narrows the items alone`,
    figuresWithout(place, 'repoId', (page, { totalItems, totalPages }) => ({
      ...page,
      totalItems,
      totalPages,
    })),
  ],
]);

const ofFilters: readonly WrongServer[] = [
  ...['severity', 'status'].map(
    (name): WrongServer => [
      'findings-filter-first',
      `findings: filtered before paging by ${name}`,
      (incoming, real) =>
        incoming.query.has(name) ? lists('findings', selected)(incoming, real) : real(incoming.request),
    ],
  ),
  [
    'prs-filter-late',
    'prs: each page keeps the items that match, totals are of all',
    several(
      figuresWithout('prs', 'status', (_, whole) => whole),
      pages('prs', (page, { query }) => ({ ...page, items: selected(page.items, query, ['status']) })),
    ),
  ],
  ...(
    [
      ['closed-misses', 'closed'],
      ['closed-misses', 'cancelled'],
    ] as const
  ).map(
    ([id, state]): WrongServer => [
      id,
      `prs: pages of closed lack those whose state is ${state}, totals are right`,
      pages('prs', (page, { query }) => ({
        ...page,
        items: page.items.filter(({ prState }) => query.get('status') !== 'closed' || prState !== state),
      })),
    ],
  ),
  [
    'list-form',
    'repos as a page',
    bodies('repos', (items) => ({ items, page: 1, limit: 25, totalItems: 9, totalPages: 1 })),
  ],
];

/** Credentials that are not looked up. */
const ofCredentials: readonly WrongServer[] = [
  ...places.flatMap((place): readonly WrongServer[] => {
    return [
      ['no-credentials', `${place}: everybody is let in`, letIn(place, (incoming) => !isOther(incoming))],
      [
        'no-credentials',
        `${place}: whoever sends no cookie is let in`,
        letIn(place, (incoming) => sessionOf(incoming) === ''),
      ],
      [
        'refusal-status',
        `${place}: 404 instead of 401`,
        failures(place, 401, { status: 404, text: '{"error":"Not found"}' }),
      ],
      [
        'invalid-credentials',
        `${place}: any cookie is enough`,
        letIn(place, (incoming) => sessionOf(incoming) !== '' && !isOther(incoming)),
      ],
    ];
  }),
  ...bearerPlaces.map(
    (place): WrongServer => [
      'invalid-credentials',
      `${place}: any bearer token is enough`,
      letIn(place, (incoming) => bearerOf(incoming) !== '' && !isOther(incoming)),
    ],
  ),
  ...(['repos', 'findings'] as const).map(
    (place): WrongServer => [
      'bearer-accepted',
      `${place}: a bearer token decides before the cookie`,
      requests((incoming) => {
        const authorization = authorizationOf(incoming);
        if (!isAt(place, incoming) || authorization === '') return {};
        const owner = /^Bearer (boundary|large)-token$/.exec(authorization)?.[1];
        return { headers: owner === undefined ? {} : { Cookie: `session=${owner}-session` } };
      }),
    ],
  ),
  ...([...places, 'all'] as const).map(
    (place): WrongServer => [
      'server-error',
      `${place}: every request fails`,
      answersIf(place, () => true, { ...broken, text: '{"error":"broken"}' }),
    ],
  ),
  [
    'foreign-id',
    'finding: ids of another tenant are 403, unknown ones 404',
    answers('finding', async (answer, incoming, real) => {
      if (answer.status !== 404) return answer;
      const { status } = await real(asOther(incoming).request);
      return status === 200 ? { ...answer, status: 403, text: '{"error":"Forbidden"}' } : answer;
    }),
  ],
  ['not-found-status', 'finding: an unknown one is 410', failures('finding', 404, { status: 410 })],
];

/** Rows of all tenants. */
const ofIsolation: readonly WrongServer[] = [
  [
    'foreign-rows',
    'findings: those of everybody',
    several(
      ofEverybody('findings', ['repoId']),
      pages('findings', (page, { query }) => ({ ...page, items: selected(page.items, query) })),
    ),
  ],
  ['foreign-rows', 'prs: those of everybody', ofEverybody('prs', ['repoId', 'status'])],
  [
    'foreign-rows',
    'repos: those of everybody',
    bodies('repos', async (all, incoming, real) => {
      const foreign = await real(asOther(incoming).request);
      const everybody = [...Object(all), ...JSON.parse(foreign.text)];
      return sorted(everybody, ({ lastScanAt }) => text(lastScanAt ?? '')).toReversed();
    }),
  ],
  ['pr-finding', 'prs: ids with a prefix', field('prs', 'id', (id) => `pr_${id}`)],
];

/** Mistakes as they are often made, in each place where they can be made. */
export const everydayServers: readonly WrongServer[] = [
  ...ofLists,
  ...ofFilters,
  ...ofCredentials,
  ...ofIsolation,
];
