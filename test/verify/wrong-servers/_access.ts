import {
  answers,
  answersIf,
  authorizationOf,
  bearerOf,
  bearerPlaces,
  bodies,
  each,
  envelopes,
  everyRow,
  failures,
  field,
  headed,
  type IncomingRequest,
  isAt,
  letIn,
  listPlaces,
  lists,
  type Mutation,
  matching,
  others,
  own,
  type Place,
  places,
  plain,
  queries,
  type Real,
  refusal,
  requests,
  says,
  selected,
  serversOf,
  sessionOf,
  several,
  sorted,
  text,
  type WrongServer,
  when,
} from '../_mutation.js';

type Condition = (incoming: IncomingRequest) => boolean;

const [session, token, otherToken] = ['boundary-session', 'boundary-token', 'large-token'];

const bearer = (value: string) => ({ Authorization: `Bearer ${value}` });

const isSession =
  (value: string): Condition =>
  (incoming) =>
    sessionOf(incoming) === value;
const isBearer =
  (value: string): Condition =>
  (incoming) =>
    bearerOf(incoming) === value;
const [hasSession, hasToken, hasNoSession] = [isSession(session), isBearer(token), isSession('')];

/** Credentials that `verify` makes up, so that no server knows them. */
const [isInventedSession, isInventedToken]: readonly [Condition, Condition] = [
  (incoming) => sessionOf(incoming).includes('verify'),
  (incoming) => bearerOf(incoming).includes('verify'),
];

const isOther: Condition = (incoming) => /large/.test(sessionOf(incoming) + authorizationOf(incoming));

/** A header is not read. */
const unread = (place: Place, name: string): Mutation =>
  requests((incoming) => {
    const { [name]: _, ...headers } = incoming.request.headers;
    return isAt(place, incoming) ? { headers } : {};
  });

/** Refusals of credentials that meet a condition are others. */
const refusedIf = (place: Place, isMeant: Condition, change: Parameters<typeof failures>[2]): Mutation =>
  answersIf(place, (incoming, { status }) => (status === 401 && isMeant(incoming) ? change : {}));

/** Which credentials are accepted (contract, sections 5 and 7). */
export const credentialServers: readonly WrongServer[] = [
  ...serversOf({
    'refusal-status: 401: a redirection to the login': failures('all', 401, {
      status: 302,
      text: '',
      headers: { location: '/login' },
    }),
    'refusal-body: 401: a small letter': failures('all', 401, says('unauthorized')),
    'refusal-body: 401: message instead of error': failures('all', 401, {
      text: '{"message":"Unauthorized"}',
    }),
    'refusal-body: 401: a further field': failures('all', 401, {
      text: '{"error":"Unauthorized","code":401}',
    }),
    'refusal-body: 401: plain text': failures('all', 401, plain('Unauthorized')),
    'content-type: 401: JSON with a text content type': failures('repos', 401, {
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    }),
    'expired-credentials: an expired cookie is accepted': headed('all', isSession('acme-session-expired'), {
      Cookie: 'session=acme-session',
    }),
    'expired-credentials: an expired token is accepted': headed(
      'all',
      isBearer('acme-token-expired'),
      bearer('acme-token'),
    ),
    'cookie-refused: cookie refused at the detail': unread('finding', 'Cookie'),
    'foreign-token: a token sees another tenant': headed(
      'all',
      (incoming) => hasToken(incoming) && sessionOf(incoming) === '',
      bearer('acme-token'),
    ),
    'bearer-refused: a token is answered 404 without a session': answersIf('finding', (incoming) =>
      hasNoSession(incoming) ? refusal(404, 'finding not found') : {},
    ),
  }),
  ...each(['repos', 'findings'], (place) => ({
    'bearer-accepted: bearer accepted at *': letIn(place, hasToken),
  })),
  ...each(['repos', 'findings', 'prs'], (place) => ({
    'cookie-refused: cookie refused at *': unread(place, 'Cookie'),
  })),
];

/** Inexact comparisons of a sent value with the issued one. */
const comparisons = {
  'accepted without its end': (sent: string, issued: string) => sent !== '' && issued.startsWith(sent),
  'accepted with more characters after it': (sent: string, issued: string) => sent.startsWith(issued),
  'compared without regard to letter case': (sent: string, issued: string) =>
    sent.toLowerCase() === issued.toLowerCase(),
};

const inHeader =
  (name: string, value = token): Condition =>
  ({ request }) =>
    request.headers[name] === value;

/** Parameters that are looked at before the credentials, with what a server may answer then. */
const judgedFirst: readonly (readonly [name: string, isDoubtful: RegExp, status: number, text?: string])[] = [
  ['page', /^0$/, 400],
  ['limit', /^abc$/, 400],
  ['status', /^(?!(?:pending|drafting|escalated|resolved|open|merged|closed)$)/, 400],
  ['severity', /^moderate$/, 422],
  ['repoId', /verify/, 200, '{"items":[],"page":1,"limit":25,"totalItems":0,"totalPages":0}'],
];

const parametersFirst = listPlaces.flatMap((place) =>
  judgedFirst
    .filter(([name]) => place === 'findings' || name !== 'severity')
    .map(
      ([name, isDoubtful, status, text = says(name).text]): WrongServer => [
        'credentials-late',
        `${place}: without valid credentials, a doubtful ${name} is answered ${status} instead of 401`,
        refusedIf(place, ({ query }) => query.has(name) && isDoubtful.test(query.get(name) ?? ''), {
          status,
          text,
        }),
      ],
    ),
);

/** A parameter that has no effect, or another one, with a token. */
const withToken = (name: string, change: (query: URLSearchParams) => void): Mutation =>
  when((incoming) => hasToken(incoming) && incoming.query.has(name), queries('prs', change));

/** Credentials that are nearly valid, or in the wrong place (contract, sections 5 and 7). */
export const falseCredentialServers: readonly WrongServer[] = [
  ...Object.entries(comparisons).flatMap(([description, isSame]) => [
    ...each(places, (place) => ({
      [`similar-credentials: *: the session is ${description}`]: letIn(place, (incoming) =>
        isSame(sessionOf(incoming), session),
      ),
    })),
    ...each(bearerPlaces, (place) => ({
      [`similar-credentials: *: the token is ${description}`]: letIn(place, (incoming) =>
        isSame(bearerOf(incoming), token),
      ),
    })),
  ]),
  ...each(places, (place) => ({
    'other-kind: *: an API token is accepted as a cookie': letIn(place, isSession(token)),
    'other-kind: *: a session is accepted as a bearer token': letIn(place, isBearer(session)),
    'other-header: *: X-Api-Key is accepted': letIn(place, inHeader('X-Api-Key')),
  })),
  ...each(bearerPlaces, (place) => ({
    'other-header: *: X-Auth-Token is accepted': letIn(place, inHeader('X-Auth-Token')),
    'other-header: *: "Authorization: Token" is accepted': letIn(
      place,
      inHeader('Authorization', `Token ${token}`),
    ),
    'other-header: *: "Authorization: NotBearer" is accepted': letIn(
      place,
      inHeader('Authorization', `NotBearer ${token}`),
    ),
    'other-header: *: Authorization is accepted with the token alone, without a scheme': letIn(
      place,
      inHeader('Authorization'),
    ),
  })),
  ...parametersFirst,
  ...each(listPlaces, (place) => ({
    'parameters-401: *: wrong parameters with a valid session are answered 401 instead of 400': failures(
      place,
      400,
      { status: 401 },
    ),
  })),
  ...each(places, (place) => ({
    'refusal-status: *: 403 instead of 401': failures(place, 401, { status: 403 }),
    'refusal-body: *: the 401 says which credential is missing': failures(
      place,
      401,
      says('Unauthorized: no session'),
    ),
    'refusal-status: *: an expired session is answered 419': refusedIf(
      place,
      (incoming) => sessionOf(incoming).includes('expired'),
      { status: 419 },
    ),
    'refusal-status: *: an invalid token is answered 400': refusedIf(place, isInventedToken, { status: 400 }),
    'refusal-body: *: the body of the 401 is a string': failures(place, 401, { text: '"Unauthorized"' }),
  })),
  ...each(['repoId', 'status', 'limit'], (name) => ({
    'token-differs: prs: with a token, * is ignored': withToken(name, (query) => query.delete(name)),
  })),
  ...each(['repos', 'findings'], (place) => ({
    'authorization-read: *: a valid cookie with "Authorization: Basic" is answered 400': answersIf(
      place,
      (incoming) => (authorizationOf(incoming).startsWith('Basic ') ? refusal(400, 'Authorization') : {}),
    ),
    'authorization-read: *: a valid cookie is ignored if there is an Authorization header': headed(
      place,
      (incoming) => authorizationOf(incoming) !== '',
      {},
    ),
    'expired-credentials: *: an expired token is accepted': letIn(place, (incoming) =>
      bearerOf(incoming).includes('expired'),
    ),
  })),
  ...each(['repos', 'findings', 'finding'], (place) => ({
    'invalid-credentials: *: two invalid credentials are accepted': letIn(
      place,
      (incoming) => isInventedSession(incoming) && isInventedToken(incoming),
    ),
  })),
  ...serversOf({
    'token-differs: prs: with a token, pages count from 0': withToken('page', (query) =>
      query.set('page', String(Number(query.get('page')) + 1)),
    ),
    'authorization-read: repos: an invalid token next to a valid cookie is refused': headed(
      'repos',
      isInventedToken,
      {},
    ),
    'both-refused: finding: cookie and token together are refused': headed(
      'finding',
      (incoming) => hasToken(incoming) && hasSession(incoming),
      {},
    ),
    'both-refused: prs: cookie and token together are answered 400, whatever they are': answersIf(
      'prs',
      (incoming) =>
        sessionOf(incoming) !== '' && bearerOf(incoming) !== '' ? refusal(400, 'two credentials') : {},
    ),
    'authorization-read: repos: a valid cookie with the token of another tenant shows the repositories of that tenant':
      headed('repos', isBearer(otherToken), others),
  }),
];

/** The same request by the other tenant. */
const asOther = (incoming: IncomingRequest): IncomingRequest => ({
  ...incoming,
  request: { ...incoming.request, headers: isOther(incoming) ? own : others },
});

/** The last row that the other tenant has in a list. */
const lastOfOther = async (incoming: IncomingRequest, real: Real) =>
  (await everyRow(asOther(incoming), real)).slice(-1);

/** Responses to findings that are not found, which are those of the other tenant. */
const foundWith = (isMeant: Condition, headers: Readonly<Record<string, string>>): Mutation =>
  answers('finding', (answer, incoming, real) =>
    answer.status === 404 && isMeant(incoming) ? real({ ...incoming.request, headers }) : answer,
  );

/** Requests with the repoId of a repository, and no other parameter, get rows of the other tenant. */
const byRepo = (place: Place, isMeant: Condition): Mutation =>
  headed(
    place,
    (incoming) =>
      incoming.query.size === 1 &&
      incoming.query.get('repoId')?.startsWith('repo_') === true &&
      isMeant(incoming),
    others,
  );

/** Data of other tenants (contract, section 5, rule 6). */
export const isolationServers = serversOf({
  'foreign-rows: every tenant sees the same repositories': letIn('repos', isSession('large-session')),
  'foreign-rows: a finding of another tenant in our list': when(
    hasSession,
    envelopes('findings', async ({ items }, incoming, real) => ({
      items: [...(await lastOfOther(incoming, real)), ...items.slice(1)],
    })),
  ),
  'foreign-rows: a pull request of another tenant in our list': when(
    (incoming) => hasSession(incoming) && incoming.query.size === 2,
    envelopes('prs', async ({ items }, incoming, real) => ({
      items: [...items.slice(1), ...(await lastOfOther(incoming, real))],
    })),
  ),
  'foreign-finding: findings of another tenant by their id': foundWith(hasSession, others),
  'foreign-finding: findings of another tenant by their id, with a token': foundWith(
    (incoming) => authorizationOf(incoming) !== '',
    bearer(otherToken),
  ),
  'foreign-id: findings of another tenant are 403': answersIf('finding', ({ path }, { status }) =>
    status === 404 && !path.includes('verify') ? refusal(403, 'Forbidden') : {},
  ),
  'foreign-repo: findings by the repoId of another tenant': byRepo('findings', hasSession),
  'foreign-repo: prs by the repoId of another tenant': headed(
    'prs',
    ({ query }) => query.size === 1 && query.has('repoId'),
    others,
  ),
  'foreign-token: all tokens belong to one tenant': requests((incoming) =>
    bearerOf(incoming) === otherToken ? { headers: { ...incoming.request.headers, ...bearer(token) } } : {},
  ),
  'foreign-repo: prs by the repoId of another tenant, with a token': byRepo('prs', hasToken),
});

/** A list of the rows of both tenants, whoever asks, that some filters select. */
const ofEverybody =
  (place: 'findings' | 'prs', filters: readonly string[]): Mutation =>
  async (incoming, real) => {
    const foreign = isAt(place, incoming) ? await everyRow(asOther(incoming), real) : [];
    return lists(place, (all, query) => selected([...all, ...foreign], query, filters))(incoming, real);
  };

/** Mistakes as they are often made: credentials that are not looked up, and rows of all tenants. */
export const everydayAccess: readonly WrongServer[] = [
  ...each(places, (place) => ({
    'no-credentials: *: everybody is let in': letIn(place, (incoming) => !isOther(incoming)),
    'no-credentials: *: whoever sends no cookie is let in': letIn(place, hasNoSession),
    'refusal-status: *: 404 instead of 401': failures(place, 401, refusal(404, 'Not found')),
    'invalid-credentials: *: any cookie is enough': letIn(
      place,
      (incoming) => sessionOf(incoming) !== '' && !isOther(incoming),
    ),
  })),
  ...each(bearerPlaces, (place) => ({
    'invalid-credentials: *: any bearer token is enough': letIn(
      place,
      (incoming) => bearerOf(incoming) !== '' && !isOther(incoming),
    ),
  })),
  ...each(['repos', 'findings'], (place) => ({
    'bearer-accepted: *: a bearer token decides before the cookie': requests((incoming) => {
      const authorization = authorizationOf(incoming);
      if (!isAt(place, incoming) || authorization === '') return {};
      const owner = /^Bearer (boundary|large)-token$/.exec(authorization)?.[1];
      return { headers: owner === undefined ? {} : { Cookie: `session=${owner}-session` } };
    }),
  })),
  ...each([...places, 'all'], (place) => ({
    'server-error: *: every request fails': answersIf(place, () => refusal(500, 'broken')),
  })),
  ...serversOf({
    'foreign-id: finding: ids of another tenant are 403, unknown ones 404': answers(
      'finding',
      async (answer, incoming, real) => {
        const isForeign = answer.status === 404 && (await real(asOther(incoming).request)).status === 200;
        return isForeign ? { ...answer, ...refusal(403, 'Forbidden') } : answer;
      },
    ),
    'not-found-status: finding: an unknown one is 410': failures('finding', 404, { status: 410 }),
    'foreign-rows: findings: those of everybody': several(
      ofEverybody('findings', ['repoId']),
      matching('findings'),
    ),
    'foreign-rows: prs: those of everybody': ofEverybody('prs', ['repoId', 'status']),
    'foreign-rows: repos: those of everybody': bodies('repos', async (all, incoming, real) => {
      const foreign = await real(asOther(incoming).request);
      const everybody = [...Object(all), ...JSON.parse(foreign.text)];
      return sorted(everybody, ({ lastScanAt }) => text(lastScanAt ?? '')).toReversed();
    }),
    'pr-finding: prs: ids with a prefix': field('prs', 'id', (id) => `pr_${id}`),
  }),
];
