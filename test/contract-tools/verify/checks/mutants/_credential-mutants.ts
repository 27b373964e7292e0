import { answers, failures, isAt, type Mutant, requests, sessionOf } from '../../_mutation.js';

/** Which credentials are accepted (contract, sections 5 and 7). */
export const credentialMutants: readonly Mutant[] = [
  [
    'refusal-status: 403 instead of 401',
    failures('all', 401, { status: 403 }),
    'credentials.listConnectedRepos.none',
    'credentials.getFinding.invalid-bearer',
    'credentials.listPrs.invalid-cookie',
  ],
  [
    'refusal-status: 401: a redirection to the login',
    failures('all', 401, { status: 302, text: '', headers: { location: '/login' } }),
    'credentials.listConnectedRepos.none',
    'credentials.getFinding.invalid-bearer',
    'credentials.listPrs.invalid-cookie',
  ],
  [
    'refusal-body: 401: a small letter',
    failures('all', 401, { text: '{"error":"unauthorized"}' }),
    'credentials.listConnectedRepos.none',
    'credentials.getFinding.invalid-bearer',
    'credentials.listPrs.invalid-cookie',
  ],
  [
    'refusal-body: 401: message instead of error',
    failures('all', 401, { text: '{"message":"Unauthorized"}' }),
    'credentials.listConnectedRepos.none',
    'credentials.getFinding.invalid-bearer',
    'credentials.listPrs.invalid-cookie',
  ],
  [
    'refusal-body: 401: a further field',
    failures('all', 401, { text: '{"error":"Unauthorized","code":401}' }),
    'credentials.listPrs.none',
    'service.error-body',
  ],
  [
    'refusal-body: 401: plain text',
    failures('all', 401, { text: 'Unauthorized', headers: { 'content-type': 'text/plain' } }),
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
    requests((incoming) =>
      isAt('repos', incoming) ? { headers: { Cookie: 'session=boundary-session' } } : {},
    ),
    'credentials.listConnectedRepos.none',
    'credentials.listConnectedRepos.invalid-cookie',
  ],
  [
    'invalid-credentials: prs: an invalid cookie is accepted',
    requests((incoming) =>
      isAt('prs', incoming) && sessionOf(incoming)?.startsWith('triage-api-verify')
        ? { headers: { Cookie: 'session=boundary-session' } }
        : {},
    ),
    'credentials.listPrs.both-invalid',
    'credentials.listPrs.invalid-cookie',
  ],
  [
    'expired-credentials: an expired cookie is accepted',
    requests((incoming) =>
      sessionOf(incoming) === 'acme-session-expired' ? { headers: { Cookie: 'session=acme-session' } } : {},
    ),
    'credentials.listConnectedRepos.expired-cookie',
    'credentials.getFinding.expired-cookie',
  ],
  [
    'expired-credentials: an expired token is accepted',
    requests((incoming) =>
      incoming.request.headers.Authorization === 'Bearer acme-token-expired'
        ? { headers: { Authorization: 'Bearer acme-token' } }
        : {},
    ),
    'credentials.getFinding.expired-bearer',
    'credentials.listPrs.expired-bearer',
  ],
  [
    'bearer-accepted: bearer accepted at repos',
    requests((incoming) =>
      isAt('repos', incoming) && incoming.request.headers.Authorization === 'Bearer boundary-token'
        ? { headers: { Cookie: 'session=boundary-session' } }
        : {},
    ),
    'credentials.listConnectedRepos.bearer',
    'credentials.listConnectedRepos.bearer-and-invalid-cookie',
  ],
  [
    'bearer-accepted: bearer accepted at findings',
    requests((incoming) =>
      isAt('findings', incoming) && incoming.request.headers.Authorization === 'Bearer boundary-token'
        ? { headers: { Cookie: 'session=boundary-session' } }
        : {},
    ),
    'credentials.listFindings.bearer',
    'credentials.listFindings.bearer-and-invalid-cookie',
  ],
  [
    'bearer-refused: bearer refused at prs',
    requests((incoming) =>
      isAt('prs', incoming) ? { headers: { Cookie: incoming.request.headers.Cookie ?? '' } } : {},
    ),
    'credentials.listPrs.bearer',
    'credentials.listPrs.same-scope',
  ],
  [
    'bearer-refused: bearer refused at the detail',
    requests((incoming) =>
      isAt('finding', incoming) ? { headers: { Cookie: incoming.request.headers.Cookie ?? '' } } : {},
    ),
    'credentials.getFinding.bearer',
    'credentials.getFinding.same-scope',
  ],
  [
    'cookie-refused: cookie refused at the detail',
    requests((incoming) =>
      isAt('finding', incoming)
        ? { headers: { Authorization: incoming.request.headers.Authorization ?? '' } }
        : {},
    ),
    'credentials.getFinding.cookie',
    'finding.as-listed',
  ],
  [
    'authorization-read: an invalid bearer next to a valid cookie breaks findings',
    requests((incoming) =>
      isAt('findings', incoming) && incoming.request.headers.Authorization?.includes('verify')
        ? { headers: {} }
        : {},
    ),
    'credentials.listFindings.authorization-not-read',
    'credentials.listFindings.cookie-and-invalid-bearer',
  ],
  [
    'authorization-read: any bearer next to a valid cookie breaks repos',
    requests((incoming) =>
      isAt('repos', incoming) && incoming.request.headers.Authorization ? { headers: {} } : {},
    ),
    'credentials.listConnectedRepos.both',
    'credentials.listConnectedRepos.authorization-not-read',
  ],
  [
    'authorization-read: another tenant’s token decides at findings',
    requests((incoming) =>
      isAt('findings', incoming) && incoming.request.headers.Authorization === 'Bearer large-token'
        ? { headers: { Cookie: 'session=large-session' } }
        : {},
    ),
    'credentials.listFindings.others-token-not-read',
  ],
  [
    'foreign-token: a token sees another tenant',
    requests((incoming) =>
      incoming.request.headers.Authorization === 'Bearer boundary-token' && !incoming.request.headers.Cookie
        ? { headers: { Authorization: 'Bearer acme-token' } }
        : {},
    ),
    'credentials.getFinding.bearer',
    'credentials.getFinding.same-scope',
    'credentials.listPrs.same-scope',
  ],
  [
    'bearer-refused: a token is answered 404 without a session',
    answers('finding', (answer, { request }) =>
      request.headers.Cookie ? answer : { ...answer, status: 404, text: '{"error":"finding not found"}' },
    ),
    'credentials.getFinding.bearer',
    'credentials.getFinding.none',
  ],
  [
    'cookie-refused: cookie refused at repos',
    requests((incoming) => (isAt('repos', incoming) ? { headers: {} } : {})),
    'credentials.listConnectedRepos.cookie',
    'repos.array',
  ],
  [
    'cookie-refused: cookie refused at findings',
    requests((incoming) => (isAt('findings', incoming) ? { headers: {} } : {})),
    'credentials.listFindings.cookie',
    'credentials.listFindings.both',
  ],
  [
    'cookie-refused: cookie refused at prs',
    requests((incoming) =>
      isAt('prs', incoming)
        ? { headers: { Authorization: incoming.request.headers.Authorization ?? '' } }
        : {},
    ),
    'credentials.listPrs.cookie',
  ],
  [
    'both-refused: prs: cookie and bearer together refused',
    requests((incoming) => {
      const { Authorization, Cookie } = incoming.request.headers;
      return isAt('prs', incoming) && Authorization !== undefined && Cookie !== undefined
        ? { headers: {} }
        : {};
    }),
    'credentials.listPrs.both',
  ],
];
