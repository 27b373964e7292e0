import {
  answersIf,
  authorizationOf,
  bearerOf,
  failures,
  headed,
  isAt,
  letIn,
  type Mutant,
  type Mutation,
  others,
  type Place,
  plain,
  requests,
  sessionOf,
} from '../../_mutation.js';

const onEverything = [
  'credentials.listConnectedRepos.none',
  'credentials.getFinding.invalid-bearer',
  'credentials.listPrs.invalid-cookie',
];

/** A header is not read. */
const unread = (place: Place, name: string): Mutation =>
  requests((incoming) => {
    const { [name]: _, ...headers } = incoming.request.headers;
    return isAt(place, incoming) ? { headers } : {};
  });

/** Which credentials are accepted (contract, sections 5 and 7). */
export const credentialMutants: readonly Mutant[] = [
  ['refusal-status: 403 instead of 401', failures('all', 401, { status: 403 }), ...onEverything],
  [
    'refusal-status: 401: a redirection to the login',
    failures('all', 401, { status: 302, text: '', headers: { location: '/login' } }),
    ...onEverything,
  ],
  [
    'refusal-body: 401: a small letter',
    failures('all', 401, { text: '{"error":"unauthorized"}' }),
    ...onEverything,
  ],
  [
    'refusal-body: 401: message instead of error',
    failures('all', 401, { text: '{"message":"Unauthorized"}' }),
    ...onEverything,
  ],
  [
    'refusal-body: 401: a further field',
    failures('all', 401, { text: '{"error":"Unauthorized","code":401}' }),
    'credentials.listPrs.none',
    'service.error-body',
  ],
  [
    'refusal-body: 401: plain text',
    failures('all', 401, plain('Unauthorized')),
    'credentials.listPrs.none',
    'service.json-type',
    'service.json-body',
  ],
  [
    'content-type: 401: JSON with a text content type',
    failures('repos', 401, { headers: { 'content-type': 'text/plain; charset=utf-8' } }),
    'service.json-type',
  ],
  [
    'no-credentials: repos: no credentials required',
    letIn('repos', () => true),
    'credentials.listConnectedRepos.none',
    'credentials.listConnectedRepos.invalid-cookie',
  ],
  [
    'invalid-credentials: prs: an invalid cookie is accepted',
    letIn('prs', (incoming) => sessionOf(incoming).startsWith('triage-api-verify')),
    'credentials.listPrs.both-invalid',
    'credentials.listPrs.invalid-cookie',
  ],
  [
    'expired-credentials: an expired cookie is accepted',
    headed('all', (incoming) => sessionOf(incoming) === 'acme-session-expired', {
      Cookie: 'session=acme-session',
    }),
    'credentials.listConnectedRepos.expired-cookie',
    'credentials.getFinding.expired-cookie',
  ],
  [
    'expired-credentials: an expired token is accepted',
    headed('all', (incoming) => bearerOf(incoming) === 'acme-token-expired', {
      Authorization: 'Bearer acme-token',
    }),
    'credentials.getFinding.expired-bearer',
    'credentials.listPrs.expired-bearer',
  ],
  [
    'bearer-accepted: bearer accepted at repos',
    letIn('repos', (incoming) => bearerOf(incoming) === 'boundary-token'),
    'credentials.listConnectedRepos.bearer',
    'credentials.listConnectedRepos.bearer-and-invalid-cookie',
  ],
  [
    'bearer-accepted: bearer accepted at findings',
    letIn('findings', (incoming) => bearerOf(incoming) === 'boundary-token'),
    'credentials.listFindings.bearer',
    'credentials.listFindings.bearer-and-invalid-cookie',
  ],
  [
    'bearer-refused: bearer refused at prs',
    unread('prs', 'Authorization'),
    'credentials.listPrs.bearer',
    'credentials.listPrs.same-scope',
  ],
  [
    'bearer-refused: bearer refused at the detail',
    unread('finding', 'Authorization'),
    'credentials.getFinding.bearer',
    'credentials.getFinding.same-scope',
  ],
  [
    'cookie-refused: cookie refused at the detail',
    unread('finding', 'Cookie'),
    'credentials.getFinding.cookie',
    'finding.as-listed',
  ],
  [
    'authorization-read: an invalid bearer next to a valid cookie breaks findings',
    headed('findings', (incoming) => authorizationOf(incoming).includes('verify'), {}),
    'credentials.listFindings.authorization-not-read',
    'credentials.listFindings.cookie-and-invalid-bearer',
  ],
  [
    'authorization-read: any bearer next to a valid cookie breaks repos',
    headed('repos', (incoming) => authorizationOf(incoming) !== '', {}),
    'credentials.listConnectedRepos.both',
    'credentials.listConnectedRepos.authorization-not-read',
  ],
  [
    'authorization-read: another tenant’s token decides at findings',
    headed('findings', (incoming) => bearerOf(incoming) === 'large-token', others),
    'credentials.listFindings.others-token-not-read',
  ],
  [
    'foreign-token: a token sees another tenant',
    headed('all', (incoming) => bearerOf(incoming) === 'boundary-token' && sessionOf(incoming) === '', {
      Authorization: 'Bearer acme-token',
    }),
    'credentials.getFinding.bearer',
    'credentials.getFinding.same-scope',
    'credentials.listPrs.same-scope',
  ],
  [
    'bearer-refused: a token is answered 404 without a session',
    answersIf('finding', (incoming) => sessionOf(incoming) === '', {
      status: 404,
      text: '{"error":"finding not found"}',
    }),
    'credentials.getFinding.bearer',
    'credentials.getFinding.none',
  ],
  [
    'cookie-refused: cookie refused at repos',
    unread('repos', 'Cookie'),
    'credentials.listConnectedRepos.cookie',
    'repos.array',
  ],
  [
    'cookie-refused: cookie refused at findings',
    unread('findings', 'Cookie'),
    'credentials.listFindings.cookie',
    'credentials.listFindings.both',
  ],
  ['cookie-refused: cookie refused at prs', unread('prs', 'Cookie'), 'credentials.listPrs.cookie'],
  [
    'both-refused: prs: cookie and bearer together refused',
    headed('prs', (incoming) => authorizationOf(incoming) !== '' && sessionOf(incoming) !== '', {}),
    'credentials.listPrs.both',
  ],
];
