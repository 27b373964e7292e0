import test from 'ava';
import {
  compareFixDrafts,
  compareOpenPullRequests,
  comparePullRequests,
  compareRepos,
  compareScans,
} from '../../src/records/row-order.js';
import { aDraft, aPullRequest, aRepo, aScan, aUser, dataset } from '../_data.js';

const early = '2026-11-18T00:00:00.000Z';
const late = '2026-11-19T00:00:00.000Z';
const [b, c, a] = ['b', 'c', 'a'];

const { repos, scans, fixDrafts, pullRequests } = dataset({
  user: aUser('u'),
  repos: [b, c, a].map((id) => aRepo(id)),
  scans: [
    aScan(b, 'a', { startedAt: late }),
    aScan(c, 'b', { startedAt: early }),
    aScan(a, 'b', { startedAt: late }),
  ],
  fixDrafts: [
    aDraft(b, 'a', { discoveredAt: late }),
    aDraft(c, 'a', { discoveredAt: early }),
    aDraft(a, 'a', { discoveredAt: late }),
  ],
  pullRequests: [
    aPullRequest(b, 'a', { createdAt: late, updatedAt: early }),
    aPullRequest(c, 'a', { createdAt: early, updatedAt: late }),
    aPullRequest(a, 'a', { createdAt: late, updatedAt: late }),
  ],
});

const sorted = <A extends Readonly<{ id: string }>>(
  rows: readonly A[],
  compare: (l: A, r: A) => number,
): readonly string[] => rows.toSorted(compare).map(({ id }) => id);

test('findings: the latest discovered first, then by id', (t) => {
  t.deepEqual(sorted(fixDrafts, compareFixDrafts), ['a', 'b', 'c']);
});

test('pull requests: the latest created first, then by id', (t) => {
  t.deepEqual(sorted(pullRequests, comparePullRequests), ['a', 'b', 'c']);
});

test('open pull requests: the latest updated first, then by id', (t) => {
  t.deepEqual(sorted(pullRequests, compareOpenPullRequests), ['a', 'c', 'b']);
});

test('scans: the latest started first, then by id descending', (t) => {
  t.deepEqual(sorted(scans, compareScans), ['b', 'a', 'c']);
});

test('repositories: the latest scanned first, then by id; never scanned last', (t) => {
  const lastScans = new Map([
    ['b', scans[2]],
    ['c', scans[0]],
  ]);
  const details = [...repos, ...repos.map((repo) => ({ ...repo, id: `${repo.id}-unscanned` }))].map(
    (repo) => ({
      repo,
      lastScan: lastScans.get(repo.id) ?? null,
      openPrCount: 0,
      openFixDraftId: null,
      openAdvisoryCount: 0,
    }),
  );
  t.deepEqual(
    details.toSorted(compareRepos).map(({ repo }) => repo.id),
    ['b', 'c', 'a', 'a-unscanned', 'b-unscanned', 'c-unscanned'],
  );
});
