import { apiRows, createService, fetchDoor, memory } from 'triage-api/core';

const [opened, merged] = ['2026-11-02T09:00:00.000Z', '2026-11-09T16:30:00.000Z'];
const finding = {
  id: 'fix_1',
  repoId: 'repo_web',
  advisoryId: 'GHSA-35jh-r3h4-6jhm',
  package: 'lodash',
  ecosystem: 'npm',
  vulnerableRange: '<4.17.21',
  fixedRange: '>=4.17.21',
  severity: 'high',
  reachability: 0.8,
  exploitSignal: 0.3,
  status: 'drafting',
  ciStatus: 'passing',
  discoveredAt: opened,
  updatedAt: opened,
  reconciledAt: null,
};
const pullRequest = {
  id: 'pr_1',
  draftId: finding.id,
  fromVersion: '4.17.20',
  toVersion: '4.17.21',
  branch: 'triage/lodash-4.17.21',
  hasCodemod: false,
  codemodSummary: '',
  ciStatus: 'passing',
  prUrl: 'https://git.example/acme/web/pull/7',
  prState: 'open',
  createdAt: opened,
  updatedAt: merged,
  reconciledAt: null,
};

const tenants = [
  {
    userId: 'ann',
    sessions: { 'ann-session': '2030-01-01T00:00:00.000Z', 'ann-old-session': opened },
    tokens: { 'ann-token': '2030-01-01T00:00:00.000Z', 'ann-old-token': opened },
    repos: [
      {
        id: finding.repoId,
        owner: 'acme',
        repo: 'web',
        defaultBranch: 'main',
        isDemoRow: true,
        scanStatusBadge: 'passing',
        status: 'active',
      },
    ],
    fixDrafts: [finding, { ...finding, id: 'fix_2', severity: 'low', status: 'resolved' }],
    pullRequests: [pullRequest, { ...pullRequest, id: 'pr_2', draftId: 'fix_2', prState: 'merged' }],
  },
  {
    userId: 'ben',
    sessions: { 'ben-session': '2030-01-01T00:00:00.000Z' },
    tokens: { 'ben-token': '2030-01-01T00:00:00.000Z' },
  },
];

export default { fetch: fetchDoor(createService({ rows: apiRows(memory(tenants)) })) };
