import { aDraft, aPullRequest, aRepo, aScan, aSession, aToken, aUser, dataset } from '../_data.js';

/** A small tenant in which every rule of the contract shows, and another one whose ids are partly the same. */
export const acme = dataset({
  user: aUser('acme'),
  sessions: [
    aSession('acme-cookie'),
    aSession('acme-expired', { expiresAt: '2026-11-20T12:00:00.000Z' }),
    aSession('acme-last-moment', { expiresAt: '2026-11-20T12:00:00.001Z' }),
  ],
  apiTokens: [
    aToken('acme-token'),
    aToken('acme-token-expired', { expiresAt: '2026-11-20T12:00:00.000Z' }),
    aToken('acme-token-last-moment', { expiresAt: '2026-11-20T12:00:00.001Z' }),
    aToken('acme-token-revoked', { revokedAt: '2026-11-20T12:00:00.000Z' }),
  ],
  repos: [
    aRepo('never-b', { owner: '株式会社' }),
    aRepo('never-a', { owner: '' }),
    aRepo('web', { owner: 'émile' }),
    aRepo('api'),
    aRepo('tied'),
  ],
  scans: [
    aScan('s1', 'web', { startedAt: '2026-11-20T11:55:00.000Z' }),
    aScan('s2', 'api', { startedAt: '2026-11-17T12:00:00.000Z' }),
    aScan('s3', 'api', { startedAt: '2026-11-17T12:00:00.000Z', status: 'failed', error: 'no access' }),
    aScan('s0', 'api', { startedAt: '2026-11-16T12:00:00.000Z' }),
    aScan('s4', 'tied', { startedAt: '2026-11-17T12:00:00.000Z' }),
  ],
  fixDrafts: [
    aDraft('d1', 'web', {
      discoveredAt: '2026-11-18T12:00:00.000Z',
      severity: 'critical',
      advisoryId: 'GHSA-1',
    }),
    aDraft('d2', 'web', { discoveredAt: '2026-11-18T12:00:00.000Z', severity: 'low', advisoryId: 'GHSA-1' }),
    aDraft('d3', 'web', {
      discoveredAt: '2026-11-19T12:00:00.000Z',
      status: 'resolved',
      advisoryId: 'GHSA-2',
    }),
    aDraft('d4', 'api', {
      discoveredAt: '2026-11-17T12:00:00.000Z',
      status: 'escalated',
      advisoryId: 'GHSA-3',
    }),
    aDraft('a/b c%d', 'api', {
      discoveredAt: '2026-11-16T12:00:00.000Z',
      status: 'drafting',
      advisoryId: 'GHSA-3',
    }),
  ],
  pullRequests: [
    aPullRequest('p1', 'd1', { prState: 'open', updatedAt: '2026-11-19T13:00:00.000Z' }),
    aPullRequest('p2', 'd2', { prState: 'open', updatedAt: '2026-11-19T13:00:00.000Z' }),
    aPullRequest('p3', 'd3', { prState: 'merged', createdAt: '2026-11-20T01:00:00.000Z' }),
    aPullRequest('p4', 'd1', { prState: 'closed', createdAt: '2026-11-18T12:00:00.000Z' }),
    aPullRequest('p5', 'd4', { prState: 'cancelled', createdAt: '2026-11-17T12:00:00.000Z' }),
    aPullRequest('p6', 'd4', { prState: null, createdAt: '2026-11-16T12:00:00.000Z' }),
    aPullRequest('p7', 'd4', { prState: 'draft', createdAt: '2026-11-15T12:00:00.000Z' }),
  ],
});

export const other = dataset({
  user: aUser('other'),
  sessions: [aSession('other-cookie')],
  apiTokens: [aToken('other-token')],
  repos: [aRepo('web', { owner: 'other' }), aRepo('secret-repo')],
  fixDrafts: [aDraft('d1', 'web', { package: 'others-package' }), aDraft('others-draft', 'secret-repo')],
  pullRequests: [aPullRequest('p1', 'd1')],
});

export const nobody = dataset({ user: aUser('nobody'), sessions: [aSession('nobody-cookie')] });
