import type { MistakeId } from '../../../../src/verify/mistakes.js';
import {
  answersIf,
  authorizationOf,
  bearerOf,
  bearerPlaces,
  failures,
  headed,
  type IncomingRequest,
  letIn,
  listPlaces,
  type Mutant,
  operations,
  others,
  places,
  queries,
  sessionOf,
} from '../../_mutation.js';

const [session, token] = ['boundary-session', 'boundary-token'];

/** Inexact comparisons of a sent value with the issued one, by the check that notices. */
const comparisons: readonly (readonly [
  suffix: string,
  description: string,
  isSame: (sent: string, issued: string) => boolean,
])[] = [
  ['shortened', 'accepted without its end', (sent, issued) => sent !== '' && issued.startsWith(sent)],
  ['lengthened', 'accepted with more characters after it', (sent, issued) => sent.startsWith(issued)],
  [
    'recased',
    'compared without regard to letter case',
    (sent, issued) => sent.toLowerCase() === issued.toLowerCase(),
  ],
];

const compared = places.flatMap((place) =>
  comparisons.flatMap(([suffix, description, isSame]): readonly Mutant[] => {
    const cookies: Mutant = [
      `similar-credentials: ${place}: the session is ${description}`,
      letIn(place, (incoming) => isSame(sessionOf(incoming), session)),
      `credentials.${operations[place]}.${suffix}-cookie`,
    ];
    const tokens: Mutant = [
      `similar-credentials: ${place}: the token is ${description}`,
      letIn(place, (incoming) => isSame(bearerOf(incoming), token)),
      `credentials.${operations[place]}.${suffix}-bearer`,
    ];
    return place === 'finding' || place === 'prs' ? [cookies, tokens] : [cookies];
  }),
);

const inHeader =
  (name: string, value = token) =>
  ({ request }: IncomingRequest): boolean =>
    request.headers[name] === value;

/** Secrets that are accepted where they are no credentials: the mistake, how they are sent, and the check. */
const misplaced: readonly (readonly [
  id: MistakeId,
  what: string,
  isSent: (incoming: IncomingRequest) => boolean,
  check: string,
])[] = [
  [
    'other-kind',
    'an API token is accepted as a cookie',
    (incoming) => sessionOf(incoming) === token,
    'token-as-cookie',
  ],
  [
    'other-kind',
    'a session is accepted as a bearer token',
    (incoming) => bearerOf(incoming) === session,
    'session-as-bearer',
  ],
  ['other-header', 'X-Api-Key is accepted', inHeader('X-Api-Key'), 'x-api-key'],
  ['other-header', 'X-Auth-Token is accepted', inHeader('X-Auth-Token'), 'x-auth-token'],
  [
    'other-header',
    '"Authorization: Token" is accepted',
    inHeader('Authorization', `Token ${token}`),
    'authorization-token',
  ],
  [
    'other-header',
    '"Authorization: NotBearer" is accepted',
    inHeader('Authorization', `NotBearer ${token}`),
    'authorization-other-scheme',
  ],
  [
    'other-header',
    'Authorization is accepted with the token alone, without a scheme',
    inHeader('Authorization'),
    'authorization-bare',
  ],
];

const accepting = (place: (typeof places)[number], some: typeof misplaced): readonly Mutant[] =>
  some.map(([id, what, isSent, check]) => [
    `${id}: ${place}: ${what}`,
    letIn(place, isSent),
    `credentials.${operations[place]}.${check}`,
  ]);

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
      ([name, isDoubtful, status, text]): Mutant => [
        `credentials-late: ${place}: without valid credentials, a doubtful ${name} is answered ${status} instead of 401`,
        answersIf(
          place,
          ({ query }, answer) =>
            answer.status === 401 && query.has(name) && isDoubtful(query.get(name) ?? ''),
          { status, text },
        ),
        `credentials.${operations[place]}.none-with-parameters`,
      ],
    ),
);

/** Wrong parameters are answered as if the credentials were wrong. */
const refusedAsStrangers = listPlaces.map(
  (place): Mutant => [
    `parameters-401: ${place}: wrong parameters with a valid session are answered 401 instead of 400`,
    failures(place, 400, { status: 401 }),
    `credentials.${operations[place]}.valid-with-parameters`,
  ],
);

/** One operation that answers missing or invalid credentials with another status or another body. */
const otherRefusals = places.flatMap((place): readonly Mutant[] => {
  const check = `credentials.${operations[place]}`;
  return [
    [
      `refusal-status: ${place}: 403 instead of 401`,
      failures(place, 401, { status: 403 }),
      `${check}.none`,
      `${check}.invalid-cookie`,
    ],
    [
      `refusal-body: ${place}: the 401 says which credential is missing`,
      failures(place, 401, { text: '{"error":"Unauthorized: no session"}' }),
      `${check}.none`,
      `${check}.expired-cookie`,
    ],
    [
      `refusal-status: ${place}: an expired session is answered 419`,
      answersIf(place, (incoming, { status }) => status === 401 && sessionOf(incoming).includes('expired'), {
        status: 419,
      }),
      `${check}.expired-cookie`,
    ],
    [
      `refusal-status: ${place}: an invalid token is answered 400`,
      answersIf(place, (incoming, { status }) => status === 401 && bearerOf(incoming).includes('verify'), {
        status: 400,
      }),
      `${check}.invalid-bearer`,
    ],
    [
      `refusal-body: ${place}: the body of the 401 is a string`,
      failures(place, 401, { text: '"Unauthorized"' }),
      `${check}.none`,
      'service.error-body',
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
  ([what, name, change]): Mutant => [
    `token-differs: prs: with a token, ${what}`,
    (incoming, real) =>
      bearerOf(incoming) === token && incoming.query.has(name)
        ? queries('prs', change)(incoming, real)
        : real(incoming.request),
    'credentials.listPrs.same-scope-filtered',
  ],
);

/** Servers in front of which something else reads the header Authorization. */
const otherSchemeRead = (['repos', 'findings'] as const).flatMap((place): readonly Mutant[] => [
  [
    `authorization-read: ${place}: a valid cookie with "Authorization: Basic" is answered 400`,
    answersIf(place, (incoming) => authorizationOf(incoming).startsWith('Basic '), {
      status: 400,
      text: '{"error":"Authorization"}',
    }),
    `credentials.${operations[place]}.other-scheme-not-read`,
  ],
  [
    `authorization-read: ${place}: a valid cookie is ignored if there is an Authorization header`,
    headed(place, (incoming) => authorizationOf(incoming) !== '', {}),
    `credentials.${operations[place]}.other-scheme-not-read`,
    `credentials.${operations[place]}.authorization-not-read`,
  ],
]);

/** Credentials that are judged wrongly at one place. */
const misjudged: readonly Mutant[] = [
  ...(['repos', 'findings', 'finding'] as const).map(
    (place): Mutant => [
      `invalid-credentials: ${place}: two invalid credentials are accepted`,
      letIn(
        place,
        (incoming) => sessionOf(incoming).includes('verify') && bearerOf(incoming).includes('verify'),
      ),
      `credentials.${operations[place]}.both-invalid`,
    ],
  ),
  ...(['repos', 'findings'] as const).map(
    (place): Mutant => [
      `expired-credentials: ${place}: an expired token is accepted`,
      letIn(place, (incoming) => bearerOf(incoming).includes('expired')),
      `credentials.${operations[place]}.expired-bearer`,
    ],
  ),
  [
    'authorization-read: repos: an invalid token next to a valid cookie is refused',
    headed('repos', (incoming) => bearerOf(incoming).includes('verify'), {}),
    'credentials.listConnectedRepos.cookie-and-invalid-bearer',
  ],
  [
    'both-refused: finding: cookie and token together are refused',
    headed('finding', (incoming) => bearerOf(incoming) === token && sessionOf(incoming) === session, {}),
    'credentials.getFinding.both',
  ],
  [
    'authorization-read: repos: a valid cookie with the token of another tenant shows the repositories of that tenant',
    headed('repos', (incoming) => bearerOf(incoming) === 'large-token', others),
    'credentials.listConnectedRepos.others-token-not-read',
  ],
];

/** Credentials that are nearly valid, or in the wrong place (contract, sections 5 and 7). */
export const falseCredentialMutants: readonly Mutant[] = [
  ...compared,
  ...elsewhere,
  ...parametersFirst,
  ...refusedAsStrangers,
  ...otherRefusals,
  ...tokensWithFilters,
  ...otherSchemeRead,
  ...misjudged,
];
