import type { MistakeId } from '../../src/verify/mistakes.js';
import {
  answersIf,
  authorizationOf,
  bearerOf,
  bearerPlaces,
  failures,
  headed,
  type IncomingRequest,
  isAt,
  letIn,
  listPlaces,
  type Mutation,
  others,
  type Place,
  places,
  plain,
  queries,
  requests,
  sessionOf,
  type WrongServer,
} from './_mutation.js';
import { combinationServers } from './wrong-servers/_combination.js';
import { everydayServers } from './wrong-servers/_everyday.js';
import { findingFilterServers, prFilterServers } from './wrong-servers/_filter.js';
import { detailServers, identityServers } from './wrong-servers/_identity.js';
import { isolationServers } from './wrong-servers/_isolation.js';
import { lieServers } from './wrong-servers/_lies.js';
import { pagingServers } from './wrong-servers/_paging.js';
import { relationServers } from './wrong-servers/_relation.js';
import { serviceServers } from './wrong-servers/_service.js';
import { fieldServers, shapeServers } from './wrong-servers/_shape.js';

/** A header is not read. */
const unread = (place: Place, name: string): Mutation =>
  requests((incoming) => {
    const { [name]: _, ...headers } = incoming.request.headers;
    return isAt(place, incoming) ? { headers } : {};
  });

/** Which credentials are accepted (contract, sections 5 and 7). */
const credentialServers: readonly WrongServer[] = [
  [
    'refusal-status',
    '401: a redirection to the login',
    failures('all', 401, { status: 302, text: '', headers: { location: '/login' } }),
  ],
  ['refusal-body', '401: a small letter', failures('all', 401, { text: '{"error":"unauthorized"}' })],
  [
    'refusal-body',
    '401: message instead of error',
    failures('all', 401, { text: '{"message":"Unauthorized"}' }),
  ],
  [
    'refusal-body',
    '401: a further field',
    failures('all', 401, { text: '{"error":"Unauthorized","code":401}' }),
  ],
  ['refusal-body', '401: plain text', failures('all', 401, plain('Unauthorized'))],
  [
    'content-type',
    '401: JSON with a text content type',
    failures('repos', 401, { headers: { 'content-type': 'text/plain; charset=utf-8' } }),
  ],
  [
    'expired-credentials',
    'an expired cookie is accepted',
    headed('all', (incoming) => sessionOf(incoming) === 'acme-session-expired', {
      Cookie: 'session=acme-session',
    }),
  ],
  [
    'expired-credentials',
    'an expired token is accepted',
    headed('all', (incoming) => bearerOf(incoming) === 'acme-token-expired', {
      Authorization: 'Bearer acme-token',
    }),
  ],
  [
    'bearer-accepted',
    'bearer accepted at repos',
    letIn('repos', (incoming) => bearerOf(incoming) === 'boundary-token'),
  ],
  [
    'bearer-accepted',
    'bearer accepted at findings',
    letIn('findings', (incoming) => bearerOf(incoming) === 'boundary-token'),
  ],
  ['cookie-refused', 'cookie refused at the detail', unread('finding', 'Cookie')],
  [
    'foreign-token',
    'a token sees another tenant',
    headed('all', (incoming) => bearerOf(incoming) === 'boundary-token' && sessionOf(incoming) === '', {
      Authorization: 'Bearer acme-token',
    }),
  ],
  [
    'bearer-refused',
    'a token is answered 404 without a session',
    answersIf('finding', (incoming) => sessionOf(incoming) === '', {
      status: 404,
      text: '{"error":"finding not found"}',
    }),
  ],
  ['cookie-refused', 'cookie refused at repos', unread('repos', 'Cookie')],
  ['cookie-refused', 'cookie refused at findings', unread('findings', 'Cookie')],
  ['cookie-refused', 'cookie refused at prs', unread('prs', 'Cookie')],
];

const [session, token] = ['boundary-session', 'boundary-token'];

/** Inexact comparisons of a sent value with the issued one. */
const comparisons: readonly (readonly [
  description: string,
  isSame: (sent: string, issued: string) => boolean,
])[] = [
  ['accepted without its end', (sent, issued) => sent !== '' && issued.startsWith(sent)],
  ['accepted with more characters after it', (sent, issued) => sent.startsWith(issued)],
  ['compared without regard to letter case', (sent, issued) => sent.toLowerCase() === issued.toLowerCase()],
];

const compared = places.flatMap((place) =>
  comparisons.flatMap(([description, isSame]): readonly WrongServer[] => {
    const cookies: WrongServer = [
      'similar-credentials',
      `${place}: the session is ${description}`,
      letIn(place, (incoming) => isSame(sessionOf(incoming), session)),
    ];
    const tokens: WrongServer = [
      'similar-credentials',
      `${place}: the token is ${description}`,
      letIn(place, (incoming) => isSame(bearerOf(incoming), token)),
    ];
    return place === 'finding' || place === 'prs' ? [cookies, tokens] : [cookies];
  }),
);

const inHeader =
  (name: string, value = token) =>
  ({ request }: IncomingRequest): boolean =>
    request.headers[name] === value;

/** Secrets that are accepted where they are no credentials: the mistake, and how they are sent. */
const misplaced: readonly (readonly [
  id: MistakeId,
  what: string,
  isSent: (incoming: IncomingRequest) => boolean,
])[] = [
  ['other-kind', 'an API token is accepted as a cookie', (incoming) => sessionOf(incoming) === token],
  ['other-kind', 'a session is accepted as a bearer token', (incoming) => bearerOf(incoming) === session],
  ['other-header', 'X-Api-Key is accepted', inHeader('X-Api-Key')],
  ['other-header', 'X-Auth-Token is accepted', inHeader('X-Auth-Token')],
  ['other-header', '"Authorization: Token" is accepted', inHeader('Authorization', `Token ${token}`)],
  ['other-header', '"Authorization: NotBearer" is accepted', inHeader('Authorization', `NotBearer ${token}`)],
  [
    'other-header',
    'Authorization is accepted with the token alone, without a scheme',
    inHeader('Authorization'),
  ],
];

const accepting = (place: (typeof places)[number], some: typeof misplaced): readonly WrongServer[] =>
  some.map(([id, what, isSent]) => [id, `${place}: ${what}`, letIn(place, isSent)]);

/** The last four are tried where tokens count. */
const elsewhere = [
  ...places.flatMap((place) => accepting(place, misplaced.slice(0, 3))),
  ...bearerPlaces.flatMap((place) => accepting(place, misplaced.slice(3))),
];

/** Parameters that are looked at before the credentials, with what a server may answer then. */
const judgedFirst: readonly (readonly [
  name: string,
  isDoubtful: (value: string) => boolean,
  status: number,
  text: string,
])[] = [
  ['page', (value) => value === '0', 400, '{"error":"page"}'],
  ['limit', (value) => value === 'abc', 400, '{"error":"limit"}'],
  [
    'status',
    (value) => !/^(?:pending|drafting|escalated|resolved|open|merged|closed)$/.test(value),
    400,
    '{"error":"status"}',
  ],
  ['severity', (value) => value === 'moderate', 422, '{"error":"severity"}'],
  [
    'repoId',
    (value) => value.includes('verify'),
    200,
    '{"items":[],"page":1,"limit":25,"totalItems":0,"totalPages":0}',
  ],
];

const parametersFirst = listPlaces.flatMap((place) =>
  judgedFirst
    .filter(([name]) => place === 'findings' || name !== 'severity')
    .map(
      ([name, isDoubtful, status, text]): WrongServer => [
        'credentials-late',
        `${place}: without valid credentials, a doubtful ${name} is answered ${status} instead of 401`,
        answersIf(
          place,
          ({ query }, answer) =>
            answer.status === 401 && query.has(name) && isDoubtful(query.get(name) ?? ''),
          { status, text },
        ),
      ],
    ),
);

/** Wrong parameters are answered as if the credentials were wrong. */
const refusedAsStrangers = listPlaces.map(
  (place): WrongServer => [
    'parameters-401',
    `${place}: wrong parameters with a valid session are answered 401 instead of 400`,
    failures(place, 400, { status: 401 }),
  ],
);

/** One operation that answers missing or invalid credentials with another status or another body. */
const otherRefusals = places.flatMap((place): readonly WrongServer[] => {
  return [
    ['refusal-status', `${place}: 403 instead of 401`, failures(place, 401, { status: 403 })],
    [
      'refusal-body',
      `${place}: the 401 says which credential is missing`,
      failures(place, 401, { text: '{"error":"Unauthorized: no session"}' }),
    ],
    [
      'refusal-status',
      `${place}: an expired session is answered 419`,
      answersIf(place, (incoming, { status }) => status === 401 && sessionOf(incoming).includes('expired'), {
        status: 419,
      }),
    ],
    [
      'refusal-status',
      `${place}: an invalid token is answered 400`,
      answersIf(place, (incoming, { status }) => status === 401 && bearerOf(incoming).includes('verify'), {
        status: 400,
      }),
    ],
    [
      'refusal-body',
      `${place}: the body of the 401 is a string`,
      failures(place, 401, { text: '"Unauthorized"' }),
    ],
  ];
});

/** A parameter that has no effect, or another one, with a token. */
const tokensWithFilters = (
  [
    ['repoId is ignored', 'repoId', (query) => query.delete('repoId')],
    ['status is ignored', 'status', (query) => query.delete('status')],
    ['limit is ignored', 'limit', (query) => query.delete('limit')],
    ['pages count from 0', 'page', (query) => query.set('page', String(Number(query.get('page')) + 1))],
  ] satisfies readonly (readonly [string, string, (query: URLSearchParams) => void])[]
).map(
  ([what, name, change]): WrongServer => [
    'token-differs',
    `prs: with a token, ${what}`,
    (incoming, real) =>
      bearerOf(incoming) === token && incoming.query.has(name)
        ? queries('prs', change)(incoming, real)
        : real(incoming.request),
  ],
);

/** Servers in front of which something else reads the header Authorization. */
const otherSchemeRead = (['repos', 'findings'] as const).flatMap((place): readonly WrongServer[] => [
  [
    'authorization-read',
    `${place}: a valid cookie with "Authorization: Basic" is answered 400`,
    answersIf(place, (incoming) => authorizationOf(incoming).startsWith('Basic '), {
      status: 400,
      text: '{"error":"Authorization"}',
    }),
  ],
  [
    'authorization-read',
    `${place}: a valid cookie is ignored if there is an Authorization header`,
    headed(place, (incoming) => authorizationOf(incoming) !== '', {}),
  ],
]);

/** Credentials that are judged wrongly at one place. */
const misjudged: readonly WrongServer[] = [
  ...(['repos', 'findings', 'finding'] as const).map(
    (place): WrongServer => [
      'invalid-credentials',
      `${place}: two invalid credentials are accepted`,
      letIn(
        place,
        (incoming) => sessionOf(incoming).includes('verify') && bearerOf(incoming).includes('verify'),
      ),
    ],
  ),
  ...(['repos', 'findings'] as const).map(
    (place): WrongServer => [
      'expired-credentials',
      `${place}: an expired token is accepted`,
      letIn(place, (incoming) => bearerOf(incoming).includes('expired')),
    ],
  ),
  [
    'authorization-read',
    'repos: an invalid token next to a valid cookie is refused',
    headed('repos', (incoming) => bearerOf(incoming).includes('verify'), {}),
  ],
  [
    'both-refused',
    'finding: cookie and token together are refused',
    headed('finding', (incoming) => bearerOf(incoming) === token && sessionOf(incoming) === session, {}),
  ],
  [
    'both-refused',
    'prs: cookie and token together are answered 400, whatever they are',
    answersIf('prs', (incoming) => sessionOf(incoming) !== '' && bearerOf(incoming) !== '', {
      status: 400,
      text: '{"error":"two credentials"}',
    }),
  ],
  [
    'authorization-read',
    'repos: a valid cookie with the token of another tenant shows the repositories of that tenant',
    headed('repos', (incoming) => bearerOf(incoming) === 'large-token', others),
  ],
];

/** Credentials that are nearly valid, or in the wrong place (contract, sections 5 and 7). */
const falseCredentialServers: readonly WrongServer[] = [
  ...compared,
  ...elsewhere,
  ...parametersFirst,
  ...refusedAsStrangers,
  ...otherRefusals,
  ...tokensWithFilters,
  ...otherSchemeRead,
  ...misjudged,
];

/** Servers with one mistake each, made from the right one. */
export const wrongServers: readonly WrongServer[] = [
  ...shapeServers,
  ...fieldServers,
  ...pagingServers,
  ...findingFilterServers,
  ...prFilterServers,
  ...combinationServers,
  ...detailServers,
  ...identityServers,
  ...relationServers,
  ...credentialServers,
  ...falseCredentialServers,
  ...isolationServers,
  ...serviceServers,
  ...everydayServers,
  ...lieServers,
];
