import test from 'ava';
import fc from 'fast-check';
import { prStatusOf } from '../../../src/contract/enums.js';
import { compareFixDrafts, comparePullRequests } from '../../../src/records/row-order.js';
import * as arbitraries from '../../../src/storage/conformance/api-cases.js';
import { tenantIndex } from '../../../src/storage/memory/tenant-index.js';
import { aDraft, aPullRequest, aRepo, aUser, dataset } from '../../_data.js';
import { runs } from '../../_runs.js';

const everything = { repoId: undefined, status: undefined, offset: 0, limit: 1000 };
test('lists have the order of the comparators and the rows of the filters, whatever order they are given in', (t) => {
  fc.assert(
    fc.property(arbitraries.tenant, (tenant) => {
      const rows = dataset({ user: aUser('a'), ...tenant });
      const index = tenantIndex(rows);
      t.deepEqual(index.findings(everything), {
        rows: rows.fixDrafts.toSorted(compareFixDrafts),
        total: rows.fixDrafts.length,
      });
      const sorted = rows.pullRequests.toSorted(comparePullRequests);
      const repoOf = (draftId: string) => rows.fixDrafts.find(({ id }) => id === draftId)?.repoId;
      for (const repoId of [undefined, 'unknown', ...rows.repos.map(({ id }) => id)]) {
        for (const status of [undefined, 'open', 'merged', 'closed'] as const) {
          const expected = sorted.filter(
            ({ draftId, prState }) =>
              (repoId === undefined || repoOf(draftId) === repoId) &&
              (status === undefined || prStatusOf(prState) === status),
          );
          const found = index.prs({ repoId, status, offset: 1, limit: 3 });
          t.deepEqual(
            [found.rows.map(({ pullRequest }) => pullRequest), found.total],
            [expected.slice(1, 4), expected.length],
          );
        }
      }
    }),
    runs(100),
  );
});

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
