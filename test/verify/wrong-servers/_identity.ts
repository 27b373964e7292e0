import {
  answers,
  answersIf,
  bodyOf,
  everyRow,
  failures,
  field,
  type IncomingRequest,
  isAt,
  listPlaces,
  lists,
  type Mutation,
  own,
  type Place,
  pages,
  type Row,
  requests,
  selected,
  several,
  text,
  type WrongServer,
} from '../_mutation.js';

/** One finding (contract, sections 4.3 and 7). */
export const detailServers: readonly WrongServer[] = [
  [
    'detail-missing',
    'detail: only pending findings are found',
    answersIf('finding', (_, answer) => (bodyOf(answer).status ?? 'pending') !== 'pending', {
      status: 404,
      text: '{"error":"finding not found"}',
    }),
  ],
  ['detail-differs', 'detail: another fixedRange', field('finding', 'fixedRange', (range) => `${range} `)],
  ['detail-differs', 'detail: newer than the list', field('findings', 'ciStatus', () => 'unknown')],
  [
    'id-not-decoded',
    'detail: the id is not decoded',
    requests((incoming) =>
      isAt('finding', incoming) && incoming.path.includes('%') ? { target: '/api/v1/findings/nope' } : {},
    ),
  ],
  ['pr-count', 'detail: prCount counts all repositories', field('finding', 'prCount', () => 1000)],
  ['negative-count', 'detail: prCount below zero', field('finding', 'prCount', () => -1)],
  [
    'not-found-body',
    'unknown finding: the generic body',
    failures('finding', 404, { text: '{"error":"Not found"}' }),
  ],
  [
    'not-found-body',
    'unknown finding: a capital letter',
    failures('finding', 404, { text: '{"error":"Finding not found"}' }),
  ],
  ['not-found-status', 'unknown finding: answered 400', failures('finding', 404, { status: 400 })],
  [
    'credentials-late',
    'unknown finding: strangers are answered 404',
    answersIf('finding', ({ path }, { status }) => status === 401 && path.includes('verify'), {
      status: 404,
      text: '{"error":"finding not found"}',
    }),
  ],
];

type Comparison = readonly [description: string, isSame: (id: string, requested: string) => boolean];

/** Ways to compare an id with the one that was requested, other than exactly. */
const comparisons: readonly Comparison[] = [
  ['without letter case', (id, requested) => id.toLowerCase() === requested.toLowerCase()],
  ['trimmed', (id, requested) => id === requested.trim()],
  ['without spaces at the end', (id, requested) => id === requested.trimEnd()],
  ['by their beginning', (id, requested) => requested !== '' && id.startsWith(requested)],
  ['by their beginning only', (id, requested) => requested.startsWith(id)],
];

const idOf = ({ path }: IncomingRequest): string =>
  decodeURIComponent(path.slice('/api/v1/findings/'.length));

/** A finding that is found by an id that is not exactly its own. */
const foundBy = (isSame: Comparison[1], header: 'Cookie' | 'Authorization'): Mutation =>
  answers('finding', async (answer, incoming, real) => {
    if (answer.status !== 404 || incoming.request.headers[header] === undefined) return answer;
    const listed = { ...incoming, request: { ...incoming.request, headers: own }, path: '/api/v1/findings' };
    const found = (await everyRow(listed, real)).find(({ id }) => isSame(text(id), idOf(incoming)));
    return found === undefined
      ? answer
      : real({ ...incoming.request, target: `/api/v1/findings/${encodeURIComponent(text(found.id))}` });
  });

const details = comparisons.flatMap(([description, isSame]): readonly WrongServer[] => [
  ['id-inexact', `finding: ids are compared ${description}`, foundBy(isSame, 'Cookie')],
  ['id-inexact', `finding: with a token, ids are compared ${description}`, foundBy(isSame, 'Authorization')],
]);

const selections: readonly Comparison[] = [
  ...comparisons,
  ['as a list', (id, requested) => requested.split(',').includes(id)],
  [
    'as a pattern of SQL',
    (id, requested) => id.startsWith(requested.replace(/%$/, '')) && requested.length > 4,
  ],
  [
    'as a pattern of file names',
    (id, requested) => id === requested || (requested.endsWith('*') && id.startsWith(requested.slice(0, -1))),
  ],
];

/** A list with another rule for the filter repoId. */
export const repoIdBy =
  (place: (typeof listPlaces)[number], isIn: Comparison[1]): Mutation =>
  (incoming, real) => {
    const repoId = incoming.query.get('repoId');
    if (repoId === null) return real(incoming.request);
    const ofRepo = (all: readonly Row[]) => all.filter((row) => isIn(text(row.repoId), repoId));
    return place === 'findings'
      ? several(
          lists(place, ofRepo),
          pages(place, (page, { query }) => ({
            ...page,
            items: selected(page.items, query, ['severity', 'status']),
          })),
        )(incoming, real)
      : lists(place, (all, query) => ofRepo(selected(all, query, ['status'])))(incoming, real);
  };

const filters = listPlaces.flatMap((place) =>
  selections.map(
    ([description, isIn]): WrongServer => [
      'repo-id-inexact',
      `${place}: repoId is compared ${description}`,
      repoIdBy(place, isIn),
    ],
  ),
);

/** Ids of a form that servers may refuse or stumble over. */
const forms: readonly (readonly [description: string, isMeant: (id: string) => boolean])[] = [
  ['a number', (id) => id === '-1'],
  ['with a letter that is not ASCII', (id) => /[^ -~]/.test(id)],
  ['with a quote', (id) => id.includes("'")],
];

const refused = (place: Place, isMeant: (incoming: IncomingRequest) => boolean, name: string): Mutation =>
  answersIf(place, isMeant, { status: 400, text: `{"error":"${name}"}` });

const refusedForms = forms.flatMap(([description, isMeant]): readonly WrongServer[] => [
  [
    'odd-id',
    `finding: an id that is ${description} is refused`,
    refused('finding', (incoming) => isMeant(idOf(incoming)), 'id'),
  ],
  ...listPlaces.map(
    (place): WrongServer => [
      'odd-id',
      `${place}: a repoId that is ${description} is refused`,
      refused(place, ({ query }) => isMeant(query.get('repoId') ?? ''), 'repoId'),
    ],
  ),
]);

const longIds: readonly WrongServer[] = [
  [
    'server-error',
    'finding: an id of many characters is answered 500',
    answersIf('finding', ({ path }) => path.length > 200, {
      status: 500,
      text: '{"error":"Internal server error"}',
    }),
  ],
  [
    'odd-id',
    'finding: an id of many characters is answered 414',
    answersIf('finding', ({ path }) => path.length > 300, { status: 414 }),
  ],
];

/** Ids that are not compared exactly (contract, sections 2, 4.2, 4.3 and 4.4). */
export const identityServers: readonly WrongServer[] = [...details, ...filters, ...refusedForms, ...longIds];
