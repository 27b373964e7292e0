import {
  answers,
  answersIf,
  bodyOf,
  bodyWith,
  everyRow,
  listPlaces,
  type Mutation,
  pages,
  selected,
  type WrongServer,
} from '../_mutation.js';

type Lists = (typeof listPlaces)[number];

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

type Condition = (query: URLSearchParams) => boolean;

const has =
  (...names: readonly string[]): Condition =>
  (query) =>
    names.every((name) => query.has(name));

/** Sends the items for another query, though the envelope is that of the right answer. */
const itemsOf = (place: Lists, isWhen: Condition, change: (query: URLSearchParams) => void): Mutation =>
  pages(place, async (page, incoming, real) => {
    if (!isWhen(incoming.query)) return page;
    const { items = page.items } = await bodyWith(incoming, real, change);
    return { ...page, items };
  });

const ignoring = (place: Lists, name: string, isWhen: Condition): Mutation =>
  itemsOf(place, isWhen, (query) => query.delete(name));

/** All requests for whole lists have page and limit: a filter that they switch off never has an effect. */
const ignoredWith = (name: string, other: string) => {
  if (name === 'page' && other === 'limit') return 'page-ignored';
  if (name === 'page' || name === 'limit' || !['page', 'limit'].includes(other)) return 'together';
  return name === 'repoId' ? 'repo-id-inexact' : 'filter-ignored';
};

/** A parameter has no effect if another one is sent, too. */
const ignored = pairs.map(
  ([place, name, other]): WrongServer => [
    ignoredWith(name, other),
    `${place}: ${name} is ignored together with ${other}`,
    ignoring(place, name, has(name, other)),
  ],
);

/** A filter has no effect on pages after the first one. */
const ignoredOnOtherPages = listPlaces.flatMap((place) =>
  parameters[place]
    .filter((name) => name !== 'page' && name !== 'limit')
    .map(
      (name): WrongServer => [
        'together',
        `${place}: ${name} is ignored on every page but the first`,
        ignoring(place, name, (query) => query.has(name) && Number(query.get('page') ?? 1) > 1),
      ],
    ),
);

/** Totals that count those rows that have the value of each of these filters. */
const totalsBy = (place: Lists, isWhen: Condition, names: readonly string[]): Mutation =>
  pages(place, async (page, incoming, real) => {
    if (!isWhen(incoming.query)) return page;
    const totalItems = selected(await everyRow(incoming, real), incoming.query, names).length;
    return { ...page, totalItems, totalPages: Math.ceil(totalItems / page.limit) };
  });

/** severity or status narrows the totals of findings if another parameter is sent, too. */
const countedToo = (['severity', 'status'] as const).flatMap((name) =>
  parameters.findings
    .filter((other) => other !== name)
    .map(
      (other): WrongServer => [
        'findings-totals',
        `findings: ${name} counts in the totals together with ${other}`,
        totalsBy('findings', has(name, other), ['repoId', name]),
      ],
    ),
);

/** A filter that narrows the totals does not do so if another parameter is sent, too. */
const notCounted = pairs
  .filter(([place, name]) => counted[place].some((each) => each === name))
  .map(
    ([place, name, other]): WrongServer => [
      name === 'repoId' ? 'repo-id-totals' : 'prs-totals',
      `${place}: ${name} is not counted in the totals together with ${other}`,
      totalsBy(
        place,
        has(name, other),
        counted[place].filter((each) => each !== name),
      ),
    ],
  );

/** Two parameters are refused if both are sent. */
const refused = pairs
  .filter(([, one, other]) => one < other)
  .map(
    ([place, one, other]): WrongServer => [
      'refused',
      `${place}: ${one} and ${other} together are refused`,
      answersIf(place, ({ query }, { status }) => status === 200 && has(one, other)(query), {
        status: 400,
        text: '{"error":"too many parameters"}',
      }),
    ],
  );

/** A limit above the maximum is honoured if another parameter is sent, too. */
const honoured = pairs
  .filter(([, name]) => name === 'limit')
  .map(
    ([place, , other]): WrongServer => [
      'limit-not-cut',
      `${place}: a limit above 100 is honoured together with ${other}`,
      answers(place, async (answer, incoming, real) => {
        const limit = Number(incoming.query.get('limit'));
        if (!(limit > 100) || !incoming.query.has(other)) return answer;
        const items = selected(await everyRow(incoming, real), incoming.query).slice(0, limit);
        return { ...answer, text: JSON.stringify({ ...bodyOf(answer), limit, items }) };
      }),
    ],
  );

/** Values of one parameter that break another one. */
const single: readonly WrongServer[] = [
  [
    'together',
    'findings: severity=low finds nothing together with status',
    pages('findings', (page, { query }) =>
      query.get('severity') === 'low' && query.has('status') ? { ...page, items: [] } : page,
    ),
  ],
  [
    'together',
    'findings: status=resolved is ignored together with severity',
    ignoring('findings', 'status', (query) => query.get('status') === 'resolved' && query.has('severity')),
  ],
  [
    'filter-ignored',
    'findings: status is ignored together with limit=100',
    ignoring('findings', 'status', (query) => query.get('limit') === '100' && query.has('status')),
  ],
  [
    'together',
    'findings: page=3 together with severity returns page 2',
    itemsOf(
      'findings',
      (query) => query.get('page') === '3' && query.has('severity'),
      (query) => query.set('page', '2'),
    ),
  ],
  [
    'together',
    'prs: repoId is ignored together with status=closed',
    ignoring('prs', 'repoId', (query) => query.get('status') === 'closed' && query.has('repoId')),
  ],
  [
    'prs-totals',
    'prs: status=merged is not counted together with repoId',
    totalsBy('prs', (query) => query.get('status') === 'merged' && query.has('repoId'), ['repoId']),
  ],
  [
    'together',
    'findings: with page and status, matching rows of the next page are added',
    pages('findings', async (page, incoming, real) => {
      if (!has('status', 'page')(incoming.query)) return page;
      const next = String(Number(incoming.query.get('page')) + 1);
      const { items } = await bodyWith(incoming, real, (query) => query.set('page', next));
      return { ...page, items: [...page.items, ...Object(items)].slice(0, 5) };
    }),
  ],
];

/** Parameters that are wrong in combination only (contract, sections 4.2 and 4.4). */
export const combinationServers: readonly WrongServer[] = [
  ...ignored,
  ...ignoredOnOtherPages,
  ...countedToo,
  ...notCounted,
  ...refused,
  ...honoured,
  ...single,
];
