import {
  answers,
  answersIf,
  bodyOf,
  each,
  everyRow,
  failures,
  field,
  type IncomingRequest,
  isAt,
  listPlaces,
  lists,
  type Mutation,
  matching,
  own,
  type Place,
  type Row,
  refusal,
  requests,
  says,
  selected,
  serversOf,
  several,
  text,
  type WrongServer,
  when,
} from '../_mutation.js';

const notFound = refusal(404, 'finding not found');

/** One finding (contract, sections 4.3 and 7). */
export const detailServers = serversOf({
  'detail-missing: detail: only pending findings are found': answersIf('finding', (_, answer) =>
    (bodyOf(answer).status ?? 'pending') !== 'pending' ? notFound : {},
  ),
  'detail-differs: detail: another fixedRange': field('finding', 'fixedRange', (range) => `${range} `),
  'detail-differs: detail: newer than the list': field('findings', 'ciStatus', () => 'unknown'),
  'id-not-decoded: detail: the id is not decoded': requests((incoming) =>
    isAt('finding', incoming) && incoming.path.includes('%') ? { target: '/api/v1/findings/nope' } : {},
  ),
  'pr-count: detail: prCount counts all repositories': field('finding', 'prCount', () => 1000),
  'negative-count: detail: prCount below zero': field('finding', 'prCount', () => -1),
  'not-found-body: unknown finding: the generic body': failures('finding', 404, says('Not found')),
  'not-found-body: unknown finding: a capital letter': failures('finding', 404, says('Finding not found')),
  'not-found-status: unknown finding: answered 400': failures('finding', 404, { status: 400 }),
  'credentials-late: unknown finding: strangers are answered 404': answersIf(
    'finding',
    ({ path }, { status }) => (status === 401 && path.includes('verify') ? notFound : {}),
  ),
});

type IsSame = (id: string, requested: string) => boolean;

/** Ways to compare an id with the one that was requested, other than exactly. */
const comparisons: Readonly<Record<string, IsSame>> = {
  'without letter case': (id, requested) => id.toLowerCase() === requested.toLowerCase(),
  trimmed: (id, requested) => id === requested.trim(),
  'without spaces at the end': (id, requested) => id === requested.trimEnd(),
  'by their beginning': (id, requested) => requested !== '' && id.startsWith(requested),
  'by their beginning only': (id, requested) => requested.startsWith(id),
};

const selections: Readonly<Record<string, IsSame>> = {
  ...comparisons,
  'as a list': (id, requested) => requested.split(',').includes(id),
  'as a pattern of SQL': (id, requested) =>
    id.startsWith(requested.replace(/%$/, '')) && requested.length > 4,
  'as a pattern of file names': (id, requested) =>
    id === requested || (requested.endsWith('*') && id.startsWith(requested.slice(0, -1))),
};

const idOf = ({ path }: IncomingRequest): string =>
  decodeURIComponent(path.slice('/api/v1/findings/'.length));

/** A finding that is found by an id that is not exactly its own. */
const foundBy = (isSame: IsSame, header: 'Cookie' | 'Authorization'): Mutation =>
  answers('finding', async (answer, incoming, real) => {
    if (answer.status !== 404 || incoming.request.headers[header] === undefined) return answer;
    const listed = { ...incoming, request: { ...incoming.request, headers: own }, path: '/api/v1/findings' };
    const found = (await everyRow(listed, real)).find(({ id }) => isSame(text(id), idOf(incoming)));
    return found === undefined
      ? answer
      : real({ ...incoming.request, target: `/api/v1/findings/${encodeURIComponent(text(found.id))}` });
  });

/** A list with another rule for the filter repoId. */
const repoIdBy = (place: (typeof listPlaces)[number], isIn: IsSame): Mutation => {
  const ofRepo = (all: readonly Row[], query: URLSearchParams) =>
    all.filter((row) => isIn(text(row.repoId), query.get('repoId') ?? ''));
  return when(
    ({ query }) => query.has('repoId'),
    place === 'prs'
      ? lists(place, (all, query) => ofRepo(selected(all, query, ['status']), query))
      : several(lists(place, ofRepo), matching(place, ['severity', 'status'])),
  );
};

/** Ids of a form that servers may refuse or stumble over. */
const forms: Readonly<Record<string, RegExp>> = {
  'a number': /^-1$/,
  'with a letter that is not ASCII': /[^ -~]/,
  'with a quote': /'/,
};

const refused = (place: Place, isMeant: (incoming: IncomingRequest) => boolean, name: string): Mutation =>
  answersIf(place, (incoming) => (isMeant(incoming) ? refusal(400, name) : {}));

/** Ids that are not compared exactly (contract, sections 2, 4.2, 4.3 and 4.4). */
export const identityServers: readonly WrongServer[] = [
  ...Object.entries(comparisons).flatMap(([how, isSame]) =>
    serversOf({
      [`id-inexact: finding: ids are compared ${how}`]: foundBy(isSame, 'Cookie'),
      [`id-inexact: finding: with a token, ids are compared ${how}`]: foundBy(isSame, 'Authorization'),
    }),
  ),
  ...Object.entries(selections).flatMap(([how, isIn]) =>
    each(listPlaces, (place) => ({
      [`repo-id-inexact: *: repoId is compared ${how}`]: repoIdBy(place, isIn),
    })),
  ),
  ...Object.entries(forms).flatMap(([form, ids]) => [
    ...serversOf({
      [`odd-id: finding: an id that is ${form} is refused`]: refused(
        'finding',
        (incoming) => ids.test(idOf(incoming)),
        'id',
      ),
    }),
    ...each(listPlaces, (place) => ({
      [`odd-id: *: a repoId that is ${form} is refused`]: refused(
        place,
        ({ query }) => ids.test(query.get('repoId') ?? ''),
        'repoId',
      ),
    })),
  ]),
  ...serversOf({
    'server-error: finding: an id of many characters is answered 500': answersIf('finding', ({ path }) =>
      path.length > 200 ? refusal(500, 'Internal server error') : {},
    ),
    'odd-id: finding: an id of many characters is answered 414': answersIf('finding', ({ path }) =>
      path.length > 300 ? { status: 414 } : {},
    ),
  }),
];
