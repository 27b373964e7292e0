import { aDraft, aPullRequest, aRepo, aScan, aSession, aToken, aUser, dataset } from '../../_data.js';

const long = 'x'.repeat(100_000);
const longestId = '😀'.repeat(200);
const firstMoment = '0000-01-01T00:00:00.000Z';
const lastMoment = '9999-12-31T23:59:59.999Z';

/** What is at the edge of what the record codecs take. */
export const edges = dataset({
  user: aUser('edges'),
  sessions: [aSession('edges', { createdAt: firstMoment, expiresAt: lastMoment })],
  repos: [
    aRepo(longestId, { owner: ' \u202eolleh', repo: '"quoted" \\ \n\r\t', isDemoRow: true }),
    aRepo("'; DROP TABLE repos; --", {
      owner: '',
      repo: '',
      defaultBranch: '',
      status: '',
      scanStatusBadge: '',
    }),
    aRepo('\u{10ffff}'),
    aRepo('\uffff'),
    aRepo('$1'),
  ],
  scans: [
    aScan('s1', longestId, { startedAt: firstMoment, finishedAt: lastMoment, error: '' }),
    aScan('s2', '\uffff', { findingsSeen: Number.MAX_SAFE_INTEGER, draftsOpened: Number.MIN_SAFE_INTEGER }),
    aScan('s3', '$1', { startedAt: lastMoment, error: long }),
  ],
  fixDrafts: [
    aDraft(longestId, longestId, { reachability: 5e-324, exploitSignal: 1.7976931348623157e308 }),
    aDraft('%', '$1', { reachability: -1.7976931348623157e308, exploitSignal: 0.1 + 0.2 }),
    aDraft('a', '$1', { reachability: -0, exploitSignal: 1e21, discoveredAt: firstMoment }),
    aDraft('A', '$1', { advisoryId: long, reachability: 1e-7, discoveredAt: lastMoment }),
    aDraft('é', '$1', { advisoryId: `${long}y`, updatedAt: firstMoment, reconciledAt: lastMoment }),
    aDraft('e\u0301', '$1', {
      advisoryId: '',
      package: '',
      ecosystem: '',
      vulnerableRange: '',
      ciStatus: '',
    }),
    aDraft('\u{10ffff}', '\uffff', { exploitSignal: 4.35 }),
    aDraft('\uffff', '\uffff', { reachability: 123456789012345680000 }),
  ],
  pullRequests: [
    aPullRequest(longestId, longestId, { codemodSummary: long, createdAt: firstMoment }),
    aPullRequest('p', 'é', {
      codemodSummary: '- a\n+ b\u2028\u2029\u0001',
      prState: null,
      createdAt: lastMoment,
    }),
    aPullRequest('P', '\uffff', { prState: 'OPEN', prUrl: 'javascript:alert(1)', reconciledAt: firstMoment }),
    aPullRequest('q', '\uffff', { prState: ' open' }),
  ],
});

/** Credentials in every state, beside another tenant whose ids are the same. */
export const doors = [
  dataset({
    user: aUser('ann'),
    sessions: [
      aSession('good'),
      aSession('ends-now', { expiresAt: '2026-11-20T12:00:00.000Z' }),
      aSession('ends-next', { expiresAt: '2026-11-20T12:00:00.001Z' }),
    ],
    apiTokens: [
      aToken('holds'),
      aToken('expires-now', { expiresAt: '2026-11-20T12:00:00.000Z' }),
      aToken('expires-next', { expiresAt: '2026-11-20T12:00:00.001Z' }),
      aToken('revoked-now', { revokedAt: '2026-11-20T12:00:00.000Z' }),
      aToken('revoked-next', { revokedAt: '2026-11-20T12:00:00.001Z' }),
    ],
    repos: [aRepo('same')],
    fixDrafts: [aDraft('same', 'same')],
    pullRequests: [aPullRequest('same', 'same')],
  }),
  dataset({
    user: aUser('bob'),
    sessions: [aSession('bobs')],
    apiTokens: [aToken('bobs-token', { id: 'tok-holds' })],
    repos: [aRepo('same', { owner: 'bob' }), aRepo('bobs')],
    fixDrafts: [aDraft('same', 'same', { package: 'of-bob' }), aDraft('bobs', 'bobs')],
    pullRequests: [aPullRequest('same', 'same', { branch: 'of-bob' }), aPullRequest('bobs', 'bobs')],
  }),
];
