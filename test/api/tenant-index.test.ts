import test from 'ava';
import { tenantIndex } from '../../src/api/tenant-index.js';
import { aDraft, aPullRequest, aRepo, aUser, dataset } from '../_data.js';

const everything = { repoId: undefined, status: undefined, offset: 0, limit: 1000 };
test('a pull request without a draft, and one without a repository, are left out', (t) => {
  const rows = dataset({
    user: aUser('a'),
    repos: [aRepo('r')],
    fixDrafts: [aDraft('d', 'r'), aDraft('e', 'unknown')],
    pullRequests: [aPullRequest('p', 'd'), aPullRequest('q', 'unknown'), aPullRequest('s', 'e')],
  });
  const { prs, finding } = tenantIndex(rows);
  t.deepEqual(
    prs(everything).rows.map(({ pullRequest }) => pullRequest.id),
    ['p'],
  );
  t.deepEqual([finding('d')?.prCount, finding('e')?.prCount, finding('unknown')], [1, 0, null]);
});
