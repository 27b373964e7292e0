import {
  answers,
  bodies,
  bodyOf,
  everyRow,
  failures,
  having,
  type IncomingRequest,
  isAt,
  lists,
  type Mutant,
  type Mutation,
  operations,
  type Place,
  pages,
  queries,
  type Real,
  type Row,
  requests,
  rows,
  sessionOf,
  several,
} from '../../_mutation.js';
import { asStatus } from '../../_values.js';

const [session, others] = ['session=boundary-session', 'session=large-session'];

const headerOf = ({ request }: IncomingRequest, name: string): string => request.headers[name] ?? '';

/** Requests that meet a condition are answered as those of the session. */
const letIn = (place: Place, isWelcome: (incoming: IncomingRequest) => boolean): Mutation =>
  requests((incoming) =>
    isAt(place, incoming) && isWelcome(incoming) ? { headers: { Cookie: session } } : {},
  );

const isOther = (incoming: IncomingRequest): boolean =>
  /large/.test(headerOf(incoming, 'Cookie') + headerOf(incoming, 'Authorization'));

/** The same request by the other tenant. */
const asOther = (incoming: IncomingRequest): IncomingRequest => ({
  ...incoming,
  request: { ...incoming.request, headers: { Cookie: isOther(incoming) ? session : others } },
});

/** A list of the rows of both tenants, whoever asks. */
const ofEverybody =
  (
    place: 'findings' | 'prs',
    select: (rows: readonly Row[], query: URLSearchParams) => readonly Row[],
  ): Mutation =>
  async (incoming, real) => {
    const foreign = isAt(place, incoming) ? await everyRow(asOther(incoming), real) : [];
    return lists(place, (own, query) => select([...own, ...foreign], query))(incoming, real);
  };

const ofStatus = (query: URLSearchParams) => (row: Row) =>
  !query.has('status') || asStatus(row.prState) === query.get('status');

const prsBy = (isIn: (state: unknown, status: string) => boolean): Mutation =>
  lists('prs', (all, query) =>
    all
      .filter(having(query, 'repoId'))
      .filter(({ prState }) => !query.has('status') || isIn(prState, query.get('status') ?? '')),
  );

const narrowed = (all: readonly Row[], query: URLSearchParams): readonly Row[] =>
  all.filter(having(query, 'repoId')).filter(having(query, 'severity')).filter(having(query, 'status'));

/** Figures of the whole list although the request has a filter. */
const figuresWithout =
  (place: 'findings' | 'prs', filter: string, change: (body: Row, figures: Row) => Row): Mutation =>
  async (incoming, real: Real) => {
    const answer = await real(incoming.request);
    if (!isAt(place, incoming) || answer.status !== 200 || !incoming.query.has(filter)) return answer;
    const query = new URLSearchParams(incoming.query);
    query.delete(filter);
    const whole = bodyOf(await real({ ...incoming.request, target: `${incoming.path}?${query}` }));
    return { ...answer, text: JSON.stringify(change(bodyOf(answer), whole)) };
  };

const withTotals = (body: Row, { totalItems, totalPages }: Row): Row => ({ ...body, totalItems, totalPages });

const listPlaces = ['findings', 'prs'] as const;

/** Mistakes of whole lists, which servers make in either of them. */
const ofLists = listPlaces.flatMap((place): readonly Mutant[] => [
  [
    `page-base: ${place}: page=0 is the first page, and the default`,
    queries(place, (query) => query.set('page', String(Number(query.get('page') ?? 0) + 1))),
    `${place}.paging.default-page`,
  ],
  [
    `default-limit: ${place}: a default limit of 50`,
    queries(place, (query) => query.has('limit') || query.set('limit', '50')),
    `${place}.paging.default-limit`,
  ],
  [
    `limit-cut-early: ${place}: a maximum limit of 60`,
    queries(place, (query) => query.set('limit', String(Math.min(60, Number(query.get('limit') ?? 25))))),
    `${place}.envelope.limit`,
  ],
  [
    `total-items: ${place}: totalItems is the number of items on the page`,
    pages(place, (page) => ({ ...page, totalItems: page.items.length })),
    `${place}.combinations-totals`,
  ],
  [
    `total-items: ${place}: totalItems is larger by three`,
    pages(place, (page) => ({ ...page, totalItems: page.totalItems + 3 })),
    `${place}.paging.total`,
  ],
  [
    `page-echo: ${place}: page is always 1 in the envelope`,
    pages(place, (page) => ({ ...page, page: 1 })),
    `${place}.envelope.page`,
  ],
  [
    `page-echo: ${place}: limit is always 25 in the envelope`,
    pages(place, (page) => ({ ...page, limit: 25 })),
    `${place}.envelope.limit`,
  ],
  [
    `page-echo: ${place}: page of the envelope counts from 0`,
    pages(place, (page) => ({ ...page, page: page.page - 1 })),
    `${place}.envelope.page`,
  ],
  [
    `page-rows: ${place}: the last row of every page is lost`,
    pages(place, (page) => ({ ...page, items: page.items.slice(0, -1) })),
    `${place}.paging.partition`,
  ],
  [
    `page-rows: ${place}: the first row of later pages is lost`,
    pages(place, (page) => ({ ...page, items: page.items.slice(page.page > 1 ? 1 : 0) })),
    `${place}.paging.partition`,
  ],
  [
    `default-page: ${place}: without page, the third page is sent`,
    queries(place, (query) => query.has('page') || query.set('page', '3')),
    `${place}.paging.default-page`,
  ],
  [
    `server-error: ${place}: the server fails for one of its filters`,
    answers(place, (answer, { query }) =>
      ['low', 'open'].includes(query.get('severity') ?? query.get('status') ?? '')
        ? { ...answer, status: 500, text: '{"error":"Internal server error"}' }
        : answer,
    ),
    `${place}.parameters`,
  ],
  [
    `envelope-field: ${place}: total and pages instead of totalItems and totalPages`,
    pages(place, ({ totalItems, totalPages, ...page }) => ({
      ...page,
      total: totalItems,
      pages: totalPages,
    })),
    `${place}.envelope.fields`,
  ],
  [
    `repo-id-totals: ${place}: repoId narrows the items alone`,
    figuresWithout(place, 'repoId', withTotals),
    `${place}.repo-id`,
  ],
]);

const ofFilters: readonly Mutant[] = [
  ...['severity', 'status'].map(
    (name): Mutant => [
      `findings-filter-first: findings: filtered before paging by ${name}`,
      (incoming, real) =>
        incoming.query.has(name) ? lists('findings', narrowed)(incoming, real) : real(incoming.request),
      'findings.filter-after-paging',
    ],
  ),
  [
    'filter-ignored: findings: both filters are ignored',
    queries('findings', (query) => {
      query.delete('severity');
      query.delete('status');
    }),
    'findings.severity',
    'findings.status',
  ],
  [
    'prs-filter-late: prs: each page keeps the items that match, totals are of all',
    async (incoming, real) => {
      const unfiltered = figuresWithout('prs', 'status', (_, whole) => whole);
      return pages('prs', (page, { query }) => ({ ...page, items: page.items.filter(ofStatus(query)) }))(
        incoming,
        (request) => unfiltered({ ...incoming, request }, real),
      );
    },
    'prs.filter-before-paging',
  ],
  [
    'closed-misses: prs: closed finds "closed" alone',
    prsBy((state, status) => state === status),
    'prs.status.closed.finds-cancelled',
  ],
  ...(
    [
      ['closed-null', null],
      ['closed-misses', 'closed'],
      ['closed-misses', 'cancelled'],
    ] as const
  ).map(
    ([id, state]): Mutant => [
      `${id}: prs: pages of closed lack those whose state is ${state}, totals are right`,
      pages('prs', (page, { query }) => ({
        ...page,
        items: page.items.filter(({ prState }) => query.get('status') !== 'closed' || prState !== state),
      })),
      `prs.status.closed.finds-${state}`,
    ],
  ),
  [
    'status-extra: prs: open finds null, too',
    prsBy((state, status) => asStatus(state) === status || (status === 'open' && state === null)),
    'prs.status.open.only',
  ],
  [
    'list-form: repos as a page',
    bodies('repos', (items) => ({ items, page: 1, limit: 25, totalItems: 9, totalPages: 1 })),
    'repos.array',
  ],
];

/** Credentials that are not looked up. */
const ofCredentials: readonly Mutant[] = [
  ...(['repos', 'findings', 'finding', 'prs'] as const).flatMap((place): readonly Mutant[] => {
    const operation = operations[place];
    return [
      [
        `no-credentials: ${place}: everybody is let in`,
        letIn(place, (incoming) => !isOther(incoming)),
        `credentials.${operation}.none`,
      ],
      [
        `no-credentials: ${place}: whoever sends no cookie is let in`,
        letIn(place, (incoming) => headerOf(incoming, 'Cookie') === ''),
        `credentials.${operation}.none`,
      ],
      [
        `refusal-status: ${place}: 404 instead of 401`,
        failures(place, 401, { status: 404, text: '{"error":"Not found"}' }),
        `credentials.${operation}.none`,
      ],
      [
        `invalid-credentials: ${place}: any cookie is enough`,
        letIn(place, (incoming) => headerOf(incoming, 'Cookie') !== '' && !isOther(incoming)),
        `credentials.${operation}.invalid-cookie`,
      ],
    ];
  }),
  ...(['finding', 'prs'] as const).map(
    (place): Mutant => [
      `invalid-credentials: ${place}: any bearer token is enough`,
      letIn(
        place,
        (incoming) => headerOf(incoming, 'Authorization').startsWith('Bearer ') && !isOther(incoming),
      ),
      `credentials.${place === 'prs' ? 'listPrs' : 'getFinding'}.invalid-bearer`,
    ],
  ),
  ...(['repos', 'findings'] as const).map(
    (place): Mutant => [
      `authorization-read: ${place}: a bearer token decides before the cookie`,
      requests((incoming) => {
        const bearer = headerOf(incoming, 'Authorization');
        if (!isAt(place, incoming) || bearer === '') return {};
        const owner = /^Bearer (boundary|large)-token$/.exec(bearer)?.[1];
        return { headers: owner === undefined ? {} : { Cookie: `session=${owner}-session` } };
      }),
      `credentials.${place === 'repos' ? 'listConnectedRepos' : 'listFindings'}.authorization-not-read`,
    ],
  ),
  ...(['repos', 'findings', 'finding', 'prs', 'all'] as const).map(
    (place): Mutant => [
      `server-error: ${place}: every request fails`,
      answers(place, (answer) => ({ ...answer, status: 500, text: '{"error":"broken"}' })),
      `credentials.${operations[place === 'all' ? 'prs' : place]}.none`,
    ],
  ),
  [
    'server-error: finding: the detail always fails',
    answers('finding', (answer) =>
      answer.status === 200 ? { ...answer, status: 500, text: '{"error":"Internal server error"}' } : answer,
    ),
    'finding.as-listed',
  ],
  [
    'foreign-id: finding: ids of another tenant are 403, unknown ones 404',
    async (incoming, real) => {
      const answer = await real(incoming.request);
      if (!isAt('finding', incoming) || answer.status !== 404) return answer;
      const { status } = await real(asOther(incoming).request);
      return status === 200 ? { ...answer, status: 403, text: '{"error":"Forbidden"}' } : answer;
    },
    'isolation.finding',
  ],
  [
    'foreign-token: prs: a token shows pull requests of another tenant',
    requests((incoming) =>
      isAt('prs', incoming) &&
      sessionOf(incoming) === undefined &&
      headerOf(incoming, 'Authorization') === 'Bearer boundary-token'
        ? { headers: { Authorization: 'Bearer large-token' } }
        : {},
    ),
    'credentials.listPrs.same-scope',
  ],
  [
    'not-found-status: finding: an unknown one is 410',
    failures('finding', 404, { status: 410 }),
    'finding.unknown',
  ],
];

/** Rows of all tenants. */
const ofIsolation: readonly Mutant[] = [
  [
    'foreign-rows: findings: those of everybody',
    several(
      ofEverybody('findings', (all, query) => all.filter(having(query, 'repoId'))),
      pages('findings', (page, { query }) => ({ ...page, items: [...narrowed(page.items, query)] })),
    ),
    'isolation.findings',
  ],
  [
    'foreign-rows: prs: those of everybody',
    ofEverybody('prs', (all, query) => all.filter(having(query, 'repoId')).filter(ofStatus(query))),
    'isolation.prs',
  ],
  [
    'foreign-rows: repos: those of everybody',
    async (incoming, real) => {
      const foreign = isAt('repos', incoming) ? await real(asOther(incoming).request) : undefined;
      return bodies('repos', (own) =>
        [...Object(own), ...JSON.parse(foreign?.text ?? '[]')].sort((left: Row, right: Row) =>
          String(left.lastScanAt ?? '') > String(right.lastScanAt ?? '') ? -1 : 1,
        ),
      )(incoming, real);
    },
    'isolation.repos',
  ],
  [
    'pr-finding: prs: ids with a prefix',
    rows('prs', (row) => ({ ...row, id: `pr_${row.id}` })),
    'prs.finding',
  ],
];

/** Mistakes as they are often made, in each place where they can be made. */
export const everydayMutants: readonly Mutant[] = [
  ...ofLists,
  ...ofFilters,
  ...ofCredentials,
  ...ofIsolation,
];
