import { answers, bodyOf, everyRow, isAt, type Mutant, type Mutation, type Row } from '../../_mutation.js';
import { asStatus } from '../../_values.js';

type Lists = 'findings' | 'prs';

const parameters = {
  findings: ['repoId', 'severity', 'status', 'page', 'limit'],
  prs: ['repoId', 'status', 'page', 'limit'],
} as const;

/** The filters that the totals count. */
const counted = { findings: ['repoId'], prs: ['repoId', 'status'] } as const;

const places: readonly Lists[] = ['findings', 'prs'];

/** Every two different parameters of each list. */
const pairs = places.flatMap((place) =>
  parameters[place].flatMap((one) =>
    parameters[place].filter((other) => other !== one).map((other) => [place, one, other] as const),
  ),
);

type Condition = (query: URLSearchParams) => boolean;

/** Ignores a parameter, though the envelope is that of the right answer. */
const ignoring =
  (place: Lists, name: string, isWhen: Condition): Mutation =>
  async (incoming, real) => {
    const right = await real(incoming.request);
    if (!isAt(place, incoming) || right.status !== 200 || !isWhen(incoming.query)) return right;
    const query = new URLSearchParams(incoming.query);
    query.delete(name);
    const { items } = bodyOf(await real({ ...incoming.request, target: `${incoming.path}?${query}` }));
    return items === undefined ? right : { ...right, text: JSON.stringify({ ...bodyOf(right), items }) };
  };

const has =
  (...names: readonly string[]): Condition =>
  (query) =>
    names.every((name) => query.has(name));

/** All requests for whole lists have page and limit: a filter that they switch off never has an effect. */
const ignoredWith = (name: string, other: string) => {
  if (
    [name, other].every((each) => each === 'page' || each === 'limit') ||
    !['page', 'limit'].includes(other)
  )
    return 'together';
  return name === 'repoId'
    ? 'repo-id-ignored'
    : ['page', 'limit'].includes(name)
      ? 'together'
      : 'filter-ignored';
};

/** A parameter has no effect if another one is sent, too. */
const ignored = pairs.map(
  ([place, name, other]): Mutant => [
    `${ignoredWith(name, other)}: ${place}: ${name} is ignored together with ${other}`,
    ignoring(place, name, has(name, other)),
    `${place}.combinations`,
  ],
);

/** A filter has no effect on pages after the first one. */
const ignoredOnOtherPages = places.flatMap((place) =>
  parameters[place]
    .filter((name) => name !== 'page' && name !== 'limit')
    .map(
      (name): Mutant => [
        `together: ${place}: ${name} is ignored on every page but the first`,
        ignoring(place, name, (query) => query.has(name) && Number(query.get('page') ?? 1) > 1),
        `${place}.combinations`,
      ],
    ),
);

const matches = (place: Lists, row: Row, name: string, value: string): boolean =>
  name === 'status' && place === 'prs' ? asStatus(row.prState ?? null) === value : row[name] === value;

/** Totals that count those rows that have the value of each of these filters. */
const totalsBy =
  (place: Lists, isWhen: Condition, names: (query: URLSearchParams) => readonly string[]): Mutation =>
  async (incoming, real) => {
    const right = await real(incoming.request);
    if (!isAt(place, incoming) || right.status !== 200 || !isWhen(incoming.query)) return right;
    const { query } = incoming;
    const filters = names(query).filter((name) => query.has(name));
    const rows = (await everyRow(incoming, real)).filter((row) =>
      filters.every((name) => matches(place, row, name, query.get(name) ?? '')),
    );
    const body = bodyOf(right);
    const totalPages = Math.ceil(rows.length / Number(body.limit));
    return { ...right, text: JSON.stringify({ ...body, totalItems: rows.length, totalPages }) };
  };

/** severity or status narrows the totals of findings if another parameter is sent, too. */
const countedToo = (['severity', 'status'] as const).flatMap((name) =>
  parameters.findings
    .filter((other) => other !== name)
    .map(
      (other): Mutant => [
        `findings-totals: findings: ${name} counts in the totals together with ${other}`,
        totalsBy('findings', has(name, other), () => ['repoId', name]),
        'findings.combinations-totals',
      ],
    ),
);

/** A filter that narrows the totals does not do so if another parameter is sent, too. */
const notCounted = pairs
  .filter(([place, name]) => counted[place].some((each) => each === name))
  .map(
    ([place, name, other]): Mutant => [
      `${name === 'repoId' ? 'repo-id-totals' : 'prs-totals'}: ${place}: ${name} is not counted in the totals together with ${other}`,
      totalsBy(place, has(name, other), () => counted[place].filter((each) => each !== name)),
      `${place}.combinations-totals`,
    ],
  );

/** Two parameters are refused if both are sent. */
const refused = pairs
  .filter(([, one, other]) => one < other)
  .map(
    ([place, one, other]): Mutant => [
      `refused: ${place}: ${one} and ${other} together are refused`,
      answers(place, (answer, { query }) =>
        answer.status === 200 && query.has(one) && query.has(other)
          ? { ...answer, status: 400, text: '{"error":"too many parameters"}' }
          : answer,
      ),
      // Without pages of a certain size, nothing is known about the list.
      one === 'limit' && other === 'page' ? `${place}.parameters` : `${place}.combinations`,
    ],
  );

/** A limit above the maximum is honoured if another parameter is sent, too. */
const honoured = pairs
  .filter(([, name]) => name === 'limit')
  .map(
    ([place, , other]): Mutant => [
      `limit-not-cut: ${place}: a limit above 100 is honoured together with ${other}`,
      async (incoming, real) => {
        const right = await real(incoming.request);
        const { query } = incoming;
        const limit = Number(query.get('limit'));
        if (!isAt(place, incoming) || !(limit > 100) || !query.has(other)) return right;
        const names = ['repoId', 'severity', 'status'].filter((name) => query.has(name));
        const items = (await everyRow(incoming, real)).filter((row) =>
          names.every((name) => matches(place, row, name, query.get(name) ?? '')),
        );
        const body = { ...bodyOf(right), limit, items: items.slice(0, limit) };
        return { ...right, text: JSON.stringify(body) };
      },
      `${place}.paging.maximum-limit-with`,
    ],
  );

/** Values of one parameter that break another one. */
const single: readonly Mutant[] = [
  [
    'together: findings: severity=low finds nothing together with status',
    answers('findings', (answer, { query }) =>
      query.get('severity') === 'low' && query.has('status')
        ? { ...answer, text: JSON.stringify({ ...bodyOf(answer), items: [] }) }
        : answer,
    ),
    'findings.combinations',
  ],
  [
    'together: findings: status=resolved is ignored together with severity',
    ignoring('findings', 'status', (query) => query.get('status') === 'resolved' && query.has('severity')),
    'findings.combinations',
  ],
  [
    'filter-ignored: findings: status is ignored together with limit=100',
    ignoring('findings', 'status', (query) => query.get('limit') === '100' && query.has('status')),
    'findings.status',
    'findings.combinations',
  ],
  [
    'together: findings: page=3 together with severity returns page 2',
    async (incoming, real) => {
      const { query } = incoming;
      const right = await real(incoming.request);
      if (!isAt('findings', incoming) || query.get('page') !== '3' || !query.has('severity')) return right;
      const other = new URLSearchParams(query);
      other.set('page', '2');
      const { items } = bodyOf(await real({ ...incoming.request, target: `${incoming.path}?${other}` }));
      return { ...right, text: JSON.stringify({ ...bodyOf(right), items }) };
    },
    'findings.combinations',
  ],
  [
    'together: prs: repoId is ignored together with status=closed',
    ignoring('prs', 'repoId', (query) => query.get('status') === 'closed' && query.has('repoId')),
    'prs.combinations',
  ],
  [
    'prs-totals: prs: status=merged is not counted together with repoId',
    totalsBy(
      'prs',
      (query) => query.get('status') === 'merged' && query.has('repoId'),
      () => ['repoId'],
    ),
    'prs.combinations-totals',
  ],
  [
    'filter-ignored: findings: with page and status, matching rows of the next page are added',
    async (incoming, real) => {
      const right = await real(incoming.request);
      const { query } = incoming;
      if (!isAt('findings', incoming) || right.status !== 200 || !query.has('status') || !query.has('page'))
        return right;
      const next = new URLSearchParams(query);
      next.set('page', String(Number(query.get('page')) + 1));
      const more = bodyOf(await real({ ...incoming.request, target: `${incoming.path}?${next}` }));
      const items = [bodyOf(right), more].flatMap((body) => (Array.isArray(body.items) ? body.items : []));
      return { ...right, text: JSON.stringify({ ...bodyOf(right), items: items.slice(0, 5) }) };
    },
    'findings.combinations',
  ],
];

/** Parameters that are wrong in combination only (contract, sections 4.2 and 4.4). */
export const combinationMutants: readonly Mutant[] = [
  ...ignored,
  ...ignoredOnOtherPages,
  ...countedToo,
  ...notCounted,
  ...refused,
  ...honoured,
  ...single,
];
