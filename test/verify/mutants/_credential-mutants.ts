import type { Mutant } from '../_mutant.js';
import { answers, failures, isAt, requests, sessionOf } from '../_mutation.js';

/** Who is let in (contract, sections 5 and 7). */
export const credentialMutants: readonly Mutant[] = [
  [
    '401: 403 instead',
    failures('all', 401, { status: 403 }),
    'credentials.listConnectedRepos.none',
    'credentials.getFinding.invalid-bearer',
    'credentials.listPrs.invalid-cookie',
  ],
  [
    '401: a redirection to the login',
    failures('all', 401, { status: 302, text: '', headers: { location: '/login' } }),
    'credentials.listConnectedRepos.none',
    'credentials.getFinding.invalid-bearer',
    'credentials.listPrs.invalid-cookie',
  ],
  [
    '401: a small letter',
    failures('all', 401, { text: '{"error":"unauthorized"}' }),
    'credentials.listConnectedRepos.none',
    'credentials.getFinding.invalid-bearer',
    'credentials.listPrs.invalid-cookie',
  ],
  [
    '401: message instead of error',
    failures('all', 401, { text: '{"message":"Unauthorized"}' }),
    'credentials.listConnectedRepos.none',
    'credentials.getFinding.invalid-bearer',
    'credentials.listPrs.invalid-cookie',
  ],
  [
    '401: a further field',
    failures('all', 401, { text: '{"error":"Unauthorized","code":401}' }),
    'credentials.listPrs.none',
    'service.error-body',
  ],
  [
    '401: plain text',
    failures('all', 401, { text: 'Unauthorized', headers: { 'content-type': 'text/plain' } }),
    'credentials.listPrs.none',
    'service.json-type',
    'service.json-body',
  ],
  [
    '401: as JSON, but called text',
    failures('repos', 401, { headers: { 'content-type': 'text/plain; charset=utf-8' } }),
    'service.json-type',
  ],
  [
    'anybody sees repos',
    requests((asked) => (isAt('repos', asked) ? { headers: { Cookie: 'session=boundary-session' } } : {})),
    'credentials.listConnectedRepos.none',
    'credentials.listConnectedRepos.invalid-cookie',
  ],
  [
    'an invalid cookie will do for prs',
    requests((asked) =>
      isAt('prs', asked) && sessionOf(asked)?.startsWith('triage-api-verify')
        ? { headers: { Cookie: 'session=boundary-session' } }
        : {},
    ),
    'credentials.listPrs.both-invalid',
    'credentials.listPrs.invalid-cookie',
  ],
  [
    'an expired cookie will do',
    requests((asked) =>
      sessionOf(asked) === 'acme-session-expired' ? { headers: { Cookie: 'session=acme-session' } } : {},
    ),
    'credentials.listConnectedRepos.expired-cookie',
    'credentials.getFinding.expired-cookie',
  ],
  [
    'an expired token will do',
    requests((asked) =>
      asked.request.headers.Authorization === 'Bearer acme-token-expired'
        ? { headers: { Authorization: 'Bearer acme-token' } }
        : {},
    ),
    'credentials.getFinding.expired-bearer',
    'credentials.listPrs.expired-bearer',
  ],
  [
    'bearer accepted at repos',
    requests((asked) =>
      isAt('repos', asked) && asked.request.headers.Authorization === 'Bearer boundary-token'
        ? { headers: { Cookie: 'session=boundary-session' } }
        : {},
    ),
    'credentials.listConnectedRepos.bearer',
    'credentials.listConnectedRepos.bearer-and-invalid-cookie',
  ],
  [
    'bearer accepted at findings',
    requests((asked) =>
      isAt('findings', asked) && asked.request.headers.Authorization === 'Bearer boundary-token'
        ? { headers: { Cookie: 'session=boundary-session' } }
        : {},
    ),
    'credentials.listFindings.bearer',
    'credentials.listFindings.bearer-and-invalid-cookie',
  ],
  [
    'bearer refused at prs',
    requests((asked) =>
      isAt('prs', asked) ? { headers: { Cookie: asked.request.headers.Cookie ?? '' } } : {},
    ),
    'credentials.listPrs.bearer',
    'credentials.listPrs.same-scope',
  ],
  [
    'bearer refused at the detail',
    requests((asked) =>
      isAt('finding', asked) ? { headers: { Cookie: asked.request.headers.Cookie ?? '' } } : {},
    ),
    'credentials.getFinding.bearer',
    'credentials.getFinding.same-scope',
  ],
  [
    'cookie refused at the detail',
    requests((asked) =>
      isAt('finding', asked) ? { headers: { Authorization: asked.request.headers.Authorization ?? '' } } : {},
    ),
    'credentials.getFinding.cookie',
    'finding.as-listed',
  ],
  [
    'an invalid bearer beside a good cookie breaks findings',
    requests((asked) =>
      isAt('findings', asked) && asked.request.headers.Authorization?.includes('verify')
        ? { headers: {} }
        : {},
    ),
    'credentials.listFindings.authorization-not-read',
    'credentials.listFindings.cookie-and-invalid-bearer',
  ],
  [
    'any bearer beside a good cookie breaks repos',
    requests((asked) => (isAt('repos', asked) && asked.request.headers.Authorization ? { headers: {} } : {})),
    'credentials.listConnectedRepos.both',
    'credentials.listConnectedRepos.authorization-not-read',
  ],
  [
    'another tenant’s token decides at findings',
    requests((asked) =>
      isAt('findings', asked) && asked.request.headers.Authorization === 'Bearer large-token'
        ? { headers: { Cookie: 'session=large-session' } }
        : {},
    ),
    'credentials.listFindings.others-token-not-read',
  ],
  [
    'a token sees another tenant',
    requests((asked) =>
      asked.request.headers.Authorization === 'Bearer boundary-token' && !asked.request.headers.Cookie
        ? { headers: { Authorization: 'Bearer acme-token' } }
        : {},
    ),
    'credentials.getFinding.bearer',
    'credentials.getFinding.same-scope',
    'credentials.listPrs.same-scope',
  ],
  [
    'a token is answered 404 without a session',
    answers('finding', (answer, { request }) =>
      request.headers.Cookie ? answer : { ...answer, status: 404, text: '{"error":"finding not found"}' },
    ),
    'credentials.getFinding.bearer',
    'credentials.getFinding.none',
  ],
  [
    'cookie refused at repos',
    requests((asked) => (isAt('repos', asked) ? { headers: {} } : {})),
    'credentials.listConnectedRepos.cookie',
    'repos.array',
  ],
  [
    'cookie refused at findings',
    requests((asked) => (isAt('findings', asked) ? { headers: {} } : {})),
    'credentials.listFindings.cookie',
    'credentials.listFindings.both',
  ],
  [
    'cookie refused at prs',
    requests((asked) =>
      isAt('prs', asked) ? { headers: { Authorization: asked.request.headers.Authorization ?? '' } } : {},
    ),
    'credentials.listPrs.cookie',
  ],
  [
    'both at once refused at prs',
    requests((asked) => {
      const { Authorization, Cookie } = asked.request.headers;
      return isAt('prs', asked) && Authorization !== undefined && Cookie !== undefined ? { headers: {} } : {};
    }),
    'credentials.listPrs.both',
  ],
];
