import { aDraft, aPullRequest, aRepo, aSession, aToken, aUser, dataset } from './sample-rows.js';

/** Ann has credentials in every state. Bob's records have some of the same ids. */
export const annAndBob = [
  dataset({
    user: aUser('ann'),
    sessions: [
      aSession('good'),
      aSession('ends-now', { expiresAt: '2026-11-20T12:00:00.000Z' }),
      aSession('ends-next', { expiresAt: '2026-11-20T12:00:00.001Z' }),
    ],
    apiTokens: [
      aToken('valid'),
      aToken('expires-now', { expiresAt: '2026-11-20T12:00:00.000Z' }),
      aToken('expires-next', { expiresAt: '2026-11-20T12:00:00.001Z' }),
      aToken('revoked-now', { revokedAt: '2026-11-20T12:00:00.000Z' }),
      aToken('revoked-next', { revokedAt: '2026-11-20T12:00:00.001Z' }),
      aToken('a-token-of-more-than-22-characters'),
    ],
    repos: [aRepo('same')],
    fixDrafts: [aDraft('same', 'same')],
    pullRequests: [aPullRequest('same', 'same')],
  }),
  dataset({
    user: aUser('bob'),
    sessions: [aSession('bobs')],
    apiTokens: [aToken('bobs-token', { id: 'tok-valid' })],
    repos: [aRepo('same', { owner: 'bob' }), aRepo('bobs')],
    fixDrafts: [aDraft('same', 'same', { package: 'of-bob' }), aDraft('bobs', 'bobs')],
    pullRequests: [aPullRequest('same', 'same', { branch: 'of-bob' }), aPullRequest('bobs', 'bobs')],
  }),
];
