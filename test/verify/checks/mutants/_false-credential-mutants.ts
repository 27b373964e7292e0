import type { Mutant } from '../../_mutant.js';
import {
  answers,
  type IncomingRequest,
  isAt,
  type Mutation,
  type Place,
  requests,
  sessionOf,
} from '../../_mutation.js';

/** The operations, by the place of their responses. */
const operations = {
  repos: 'listConnectedRepos',
  findings: 'listFindings',
  finding: 'getFinding',
  prs: 'listPrs',
} as const;
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

/** Ways to compare a value that was sent with the one that was issued, by the check that notices. */
const comparisons: readonly (readonly [
  suffix: string,
  description: string,
  isSame: (sent: string, issued: string) => boolean,
])[] = [
  ['shortened', 'matched by its beginning', (sent, issued) => sent !== '' && issued.startsWith(sent)],
  ['lengthened', 'cut to its length', (sent, issued) => sent.startsWith(issued)],
  ['recased', 'matched without letter case', (sent, issued) => sent.toLowerCase() === issued.toLowerCase()],
];

const compared = (place: Operation): readonly Mutant[] =>
  comparisons.flatMap(([suffix, description, isSame]): readonly Mutant[] => [
    [
      `${place}: the session is ${description}`,
      letIn(place, (incoming) => isSame(sessionOf(incoming) ?? '', session)),
      `credentials.${operations[place]}.${suffix}-cookie`,
    ],
    ...(bearerPlaces.includes(place)
      ? [
          [
            `${place}: the token is ${description}`,
            letIn(place, (incoming) => isSame(bearerOf(incoming), token)),
            `credentials.${operations[place]}.${suffix}-bearer`,
          ] satisfies Mutant,
        ]
      : []),
  ]);

const elsewhere = (place: Operation): readonly Mutant[] => [
  [
    `${place}: an API token is accepted as a cookie`,
    letIn(place, (incoming) => sessionOf(incoming) === token),
    `credentials.${operations[place]}.token-as-cookie`,
  ],
  [
    `${place}: a session is accepted as a bearer token`,
    letIn(place, (incoming) => bearerOf(incoming) === session),
    `credentials.${operations[place]}.session-as-bearer`,
  ],
  [
    `${place}: X-Api-Key is accepted`,
    letIn(place, (incoming) => headerOf(incoming, 'X-Api-Key') === token),
    `credentials.${operations[place]}.x-api-key`,
  ],
];

const otherSchemes = (place: Operation): readonly Mutant[] => [
  [
    `${place}: X-Auth-Token is accepted`,
    letIn(place, (incoming) => headerOf(incoming, 'X-Auth-Token') === token),
    `credentials.${operations[place]}.x-auth-token`,
  ],
  [
    `${place}: the scheme Token is accepted`,
    letIn(place, (incoming) => headerOf(incoming, 'Authorization') === `Token ${token}`),
    `credentials.${operations[place]}.authorization-token`,
  ],
  [
    `${place}: any scheme that ends in Bearer is accepted`,
    letIn(place, (incoming) => headerOf(incoming, 'Authorization') === `NotBearer ${token}`),
    `credentials.${operations[place]}.authorization-other-scheme`,
  ],
  [
    `${place}: a token without a scheme is accepted`,
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
        `${place}: strangers are answered ${status} because of ${name}, before their credentials count`,
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
    `${place}: wrong parameters are answered 401`,
    answers(place, (answer) => (answer.status === 400 ? { ...answer, status: 401 } : answer)),
    `credentials.${operations[place]}.valid-with-parameters`,
  ],
);

/** What strangers are told at one place only: another status, or a body with more in it. */
const toldStrangers = places.flatMap((place): readonly Mutant[] => [
  [
    `${place}: strangers are answered 403`,
    answers(place, (answer) => (answer.status === 401 ? { ...answer, status: 403 } : answer)),
    `credentials.${operations[place]}.none`,
    `credentials.${operations[place]}.invalid-cookie`,
  ],
  [
    `${place}: the 401 says which credential is missing`,
    answers(place, (answer) =>
      answer.status === 401 ? { ...answer, text: '{"error":"Unauthorized: no session"}' } : answer,
    ),
    `credentials.${operations[place]}.none`,
    `credentials.${operations[place]}.expired-cookie`,
  ],
  [
    `${place}: an expired session is answered 419`,
    answers(place, (answer, incoming) =>
      answer.status === 401 && sessionOf(incoming)?.includes('expired') ? { ...answer, status: 419 } : answer,
    ),
    `credentials.${operations[place]}.expired-cookie`,
  ],
  [
    `${place}: an invalid token is answered 400`,
    answers(place, (answer, incoming) =>
      answer.status === 401 && bearerOf(incoming).includes('verify') ? { ...answer, status: 400 } : answer,
    ),
    `credentials.${operations[place]}.invalid-bearer`,
  ],
  [
    `${place}: the body of the 401 is a string`,
    answers(place, (answer) => (answer.status === 401 ? { ...answer, text: '"Unauthorized"' } : answer)),
    `credentials.${operations[place]}.none`,
    'service.error-body',
  ],
]);

/** Parameters that work for sessions only. */
const withToken = (name: string, isThere: string, change: (query: URLSearchParams) => void): Mutant => [
  `prs: with a token, ${name}`,
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
    `${place}: Authorization of another scheme is refused`,
    answers(place, (answer, incoming) =>
      headerOf(incoming, 'Authorization').startsWith('Basic ')
        ? { ...answer, status: 400, text: '{"error":"Authorization"}' }
        : answer,
    ),
    `credentials.${operations[place]}.other-scheme-not-read`,
  ],
  [
    `${place}: Authorization of any scheme makes the cookie count for nothing`,
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
      `${place}: two invalid credentials are accepted`,
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
      `${place}: an expired token is accepted`,
      letIn(place, (incoming) => bearerOf(incoming).includes('expired')),
      `credentials.${operations[place]}.expired-bearer`,
    ],
  ),
  [
    'repos: an invalid token next to a valid cookie is refused',
    requests((incoming) =>
      isAt('repos', incoming) && bearerOf(incoming).includes('verify') ? { headers: {} } : {},
    ),
    'credentials.listConnectedRepos.cookie-and-invalid-bearer',
  ],
  [
    'finding: cookie and token together are refused',
    requests((incoming) =>
      isAt('finding', incoming) && bearerOf(incoming) === token && sessionOf(incoming) === session
        ? { headers: {} }
        : {},
    ),
    'credentials.getFinding.both',
  ],
  [
    'repos: the token of another tenant decides',
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
  ...toldStrangers,
  ...tokensWithFilters,
  ...otherSchemeRead,
  ...misjudged,
];
