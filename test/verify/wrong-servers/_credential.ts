import {
  answersIf,
  authorizationOf,
  bearerOf,
  failures,
  headed,
  isAt,
  letIn,
  type Mutation,
  others,
  type Place,
  plain,
  requests,
  sessionOf,
  type WrongServer,
} from '../_mutation.js';

/** A header is not read. */
const unread = (place: Place, name: string): Mutation =>
  requests((incoming) => {
    const { [name]: _, ...headers } = incoming.request.headers;
    return isAt(place, incoming) ? { headers } : {};
  });

/** Which credentials are accepted (contract, sections 5 and 7). */
export const credentialServers: readonly WrongServer[] = [
  ['refusal-status', '403 instead of 401', failures('all', 401, { status: 403 })],
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
  ['no-credentials', 'repos: no credentials required', letIn('repos', () => true)],
  [
    'invalid-credentials',
    'prs: an invalid cookie is accepted',
    letIn('prs', (incoming) => sessionOf(incoming).startsWith('triage-api-verify')),
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
  ['bearer-refused', 'bearer refused at prs', unread('prs', 'Authorization')],
  ['bearer-refused', 'bearer refused at the detail', unread('finding', 'Authorization')],
  ['cookie-refused', 'cookie refused at the detail', unread('finding', 'Cookie')],
  [
    'authorization-read',
    'an invalid bearer next to a valid cookie breaks findings',
    headed('findings', (incoming) => authorizationOf(incoming).includes('verify'), {}),
  ],
  [
    'authorization-read',
    'any bearer next to a valid cookie breaks repos',
    headed('repos', (incoming) => authorizationOf(incoming) !== '', {}),
  ],
  [
    'authorization-read',
    'another tenant’s token decides at findings',
    headed('findings', (incoming) => bearerOf(incoming) === 'large-token', others),
  ],
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
  [
    'both-refused',
    'prs: cookie and bearer together refused',
    headed('prs', (incoming) => authorizationOf(incoming) !== '' && sessionOf(incoming) !== '', {}),
  ],
];
