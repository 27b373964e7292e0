import {
  answers,
  type IncomingRequest,
  isAt,
  type Mutant,
  type Mutation,
  operations,
  type Place,
  requests,
  sessionOf,
} from '../../_mutation.js';

type Operation = keyof typeof operations;
const places: readonly Operation[] = ['repos', 'findings', 'finding', 'prs'];
const bearerPlaces: readonly Operation[] = ['finding', 'prs'];

const session = 'boundary-session';
const token = 'boundary-token';

/** Requests of one place that meet a condition are answered as those of the session. */
const letIn = (place: Place, isWelcome: (incoming: IncomingRequest) => boolean): Mutation =>
  requests((incoming) =>
    isAt(place, incoming) && isWelcome(incoming) ? { headers: { Cookie: `session=${session}` } } : {},
  );

const headerOf = ({ request }: IncomingRequest, name: string): string => request.headers[name] ?? '';

const bearerOf = (incoming: IncomingRequest): string =>
  /^Bearer (.*)$/.exec(headerOf(incoming, 'Authorization'))?.[1] ?? '';

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

const compared = (place: Operation): readonly Mutant[] =>
  comparisons.flatMap(([suffix, description, isSame]): readonly Mutant[] => [
    [
      `similar-credentials: ${place}: the session is ${description}`,
      letIn(place, (incoming) => isSame(sessionOf(incoming) ?? '', session)),
      `credentials.${operations[place]}.${suffix}-cookie`,
    ],
    ...(bearerPlaces.includes(place)
      ? [
          [
            `similar-credentials: ${place}: the token is ${description}`,
            letIn(place, (incoming) => isSame(bearerOf(incoming), token)),
            `credentials.${operations[place]}.${suffix}-bearer`,
          ] satisfies Mutant,
        ]
      : []),
  ]);

const elsewhere = (place: Operation): readonly Mutant[] => [
  [
    `other-kind: ${place}: an API token is accepted as a cookie`,
    letIn(place, (incoming) => sessionOf(incoming) === token),
    `credentials.${operations[place]}.token-as-cookie`,
  ],
  [
    `other-kind: ${place}: a session is accepted as a bearer token`,
    letIn(place, (incoming) => bearerOf(incoming) === session),
    `credentials.${operations[place]}.session-as-bearer`,
  ],
  [
    `other-header: ${place}: X-Api-Key is accepted`,
    letIn(place, (incoming) => headerOf(incoming, 'X-Api-Key') === token),
    `credentials.${operations[place]}.x-api-key`,
  ],
];

const otherSchemes = (place: Operation): readonly Mutant[] => [
  [
    `other-header: ${place}: X-Auth-Token is accepted`,
    letIn(place, (incoming) => headerOf(incoming, 'X-Auth-Token') === token),
    `credentials.${operations[place]}.x-auth-token`,
  ],
  [
    `other-header: ${place}: "Authorization: Token" is accepted`,
    letIn(place, (incoming) => headerOf(incoming, 'Authorization') === `Token ${token}`),
    `credentials.${operations[place]}.authorization-token`,
  ],
  [
    `other-header: ${place}: "Authorization: NotBearer" is accepted`,
    letIn(place, (incoming) => headerOf(incoming, 'Authorization') === `NotBearer ${token}`),
    `credentials.${operations[place]}.authorization-other-scheme`,
  ],
  [
    `other-header: ${place}: Authorization is accepted with the token alone, without a scheme`,
    letIn(place, (incoming) => headerOf(incoming, 'Authorization') === token),
    `credentials.${operations[place]}.authorization-bare`,
  ],
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

const parametersFirst = (['findings', 'prs'] as const).flatMap((place) =>
  judgedFirst
    .filter(([name]) => place === 'findings' || name !== 'severity')
    .map(
      ([name, isDoubtful, status, text]): Mutant => [
        `credentials-late: ${place}: without valid credentials, a doubtful ${name} is answered ${status} instead of 401`,
        answers(place, (answer, { query }) =>
          answer.status === 401 && isDoubtful(query.get(name) ?? '') && query.has(name)
            ? { ...answer, status, text }
            : answer,
        ),
        `credentials.${operations[place]}.none-with-parameters`,
      ],
    ),
);

/** Wrong parameters are answered as if the credentials were wrong. */
const refusedAsStrangers = (['findings', 'prs'] as const).map(
  (place): Mutant => [
    `parameters-401: ${place}: wrong parameters with a valid session are answered 401 instead of 400`,
    answers(place, (answer) => (answer.status === 400 ? { ...answer, status: 401 } : answer)),
    `credentials.${operations[place]}.valid-with-parameters`,
  ],
);

/** One operation that answers missing or invalid credentials with another status or another body. */
const otherRefusals = places.flatMap((place): readonly Mutant[] => [
  [
    `refusal-status: ${place}: 403 instead of 401`,
    answers(place, (answer) => (answer.status === 401 ? { ...answer, status: 403 } : answer)),
    `credentials.${operations[place]}.none`,
    `credentials.${operations[place]}.invalid-cookie`,
  ],
  [
    `refusal-body: ${place}: the 401 says which credential is missing`,
    answers(place, (answer) =>
      answer.status === 401 ? { ...answer, text: '{"error":"Unauthorized: no session"}' } : answer,
    ),
    `credentials.${operations[place]}.none`,
    `credentials.${operations[place]}.expired-cookie`,
  ],
  [
    `refusal-status: ${place}: an expired session is answered 419`,
    answers(place, (answer, incoming) =>
      answer.status === 401 && sessionOf(incoming)?.includes('expired') ? { ...answer, status: 419 } : answer,
    ),
    `credentials.${operations[place]}.expired-cookie`,
  ],
  [
    `refusal-status: ${place}: an invalid token is answered 400`,
    answers(place, (answer, incoming) =>
      answer.status === 401 && bearerOf(incoming).includes('verify') ? { ...answer, status: 400 } : answer,
    ),
    `credentials.${operations[place]}.invalid-bearer`,
  ],
  [
    `refusal-body: ${place}: the body of the 401 is a string`,
    answers(place, (answer) => (answer.status === 401 ? { ...answer, text: '"Unauthorized"' } : answer)),
    `credentials.${operations[place]}.none`,
    'service.error-body',
  ],
]);

/** A parameter that has no effect, or another one, with a token. */
const withToken = (name: string, isThere: string, change: (query: URLSearchParams) => void): Mutant => [
  `token-differs: prs: with a token, ${name}`,
  requests((incoming) => {
    if (!isAt('prs', incoming) || bearerOf(incoming) !== token || !incoming.query.has(isThere)) return {};
    const query = new URLSearchParams(incoming.query);
    change(query);
    return { target: `${incoming.path}?${query}` };
  }),
  'credentials.listPrs.same-scope-filtered',
];

const tokensWithFilters: readonly Mutant[] = [
  withToken('repoId is ignored', 'repoId', (query) => query.delete('repoId')),
  withToken('status is ignored', 'status', (query) => query.delete('status')),
  withToken('limit is ignored', 'limit', (query) => query.delete('limit')),
  withToken('pages count from 0', 'page', (query) =>
    query.set('page', String(Number(query.get('page')) + 1)),
  ),
];

/** Servers in front of which something else reads the header Authorization. */
const otherSchemeRead = (['repos', 'findings'] as const).flatMap((place): readonly Mutant[] => [
  [
    `authorization-read: ${place}: a valid cookie with "Authorization: Basic" is answered 400`,
    answers(place, (answer, incoming) =>
      headerOf(incoming, 'Authorization').startsWith('Basic ')
        ? { ...answer, status: 400, text: '{"error":"Authorization"}' }
        : answer,
    ),
    `credentials.${operations[place]}.other-scheme-not-read`,
  ],
  [
    `authorization-read: ${place}: a valid cookie is ignored if there is an Authorization header`,
    requests((incoming) =>
      isAt(place, incoming) && headerOf(incoming, 'Authorization') !== '' ? { headers: {} } : {},
    ),
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
        (incoming) =>
          sessionOf(incoming)?.includes('verify') === true && bearerOf(incoming).includes('verify'),
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
    requests((incoming) =>
      isAt('repos', incoming) && bearerOf(incoming).includes('verify') ? { headers: {} } : {},
    ),
    'credentials.listConnectedRepos.cookie-and-invalid-bearer',
  ],
  [
    'both-refused: finding: cookie and token together are refused',
    requests((incoming) =>
      isAt('finding', incoming) && bearerOf(incoming) === token && sessionOf(incoming) === session
        ? { headers: {} }
        : {},
    ),
    'credentials.getFinding.both',
  ],
  [
    'authorization-read: repos: a valid cookie with the token of another tenant shows the repositories of that tenant',
    requests((incoming) =>
      isAt('repos', incoming) && bearerOf(incoming) === 'large-token'
        ? { headers: { Cookie: 'session=large-session' } }
        : {},
    ),
    'credentials.listConnectedRepos.others-token-not-read',
  ],
];

/** Credentials that are nearly valid, or in the wrong place (contract, sections 5 and 7). */
export const falseCredentialMutants: readonly Mutant[] = [
  ...places.flatMap(compared),
  ...places.flatMap(elsewhere),
  ...bearerPlaces.flatMap(otherSchemes),
  ...parametersFirst,
  ...refusedAsStrangers,
  ...otherRefusals,
  ...tokensWithFilters,
  ...otherSchemeRead,
  ...misjudged,
];
