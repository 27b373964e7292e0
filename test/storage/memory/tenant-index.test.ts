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

test('rows are frozen, and the same objects each time', (t) => {
  const index = tenantIndex(
    dataset({
      user: aUser('a'),
      repos: [aRepo('r')],
      fixDrafts: [aDraft('d', 'r')],
      pullRequests: [aPullRequest('p', 'd')],
    }),
  );
  for (const read of [
    () => index.findings(everything).rows[0],
    () => index.finding('d'),
    () => index.finding('d')?.draft,
    () => index.prs(everything).rows[0],
    () => index.prs(everything).rows[0]?.pullRequest,
    () => index.prs({ ...everything, repoId: 'r', status: 'open' }).rows[0],
  ]) {
    t.true(Object.isFrozen(read()));
    t.is<unknown, unknown>(read(), read());
  }
  t.is(index.finding('d')?.draft, index.findings(everything).rows[0]);
});

test('a range that is read again is the same frozen object, and others are told apart', (t) => {
  const numbers = Array.from({ length: 9 }, (_, number) => number);
  const { prs } = tenantIndex(
    dataset({
      user: aUser('a'),
      repos: [aRepo('r'), aRepo('s')],
      fixDrafts: numbers.map((number) => aDraft(`d${number}`, number < 5 ? 'r' : 's')),
      pullRequests: numbers.map((number) => aPullRequest(`p${number}`, `d${number}`)),
    }),
  );
  const all = { repoId: undefined, status: undefined, offset: 0, limit: 2 };
  const queries = [
    all,
    { ...all, limit: 3 },
    { ...all, offset: 2 },
    { ...all, repoId: 'r' },
    { ...all, status: 'open' as const },
    { ...all, repoId: 's', status: 'open' as const },
  ];
  const slices = queries.map(prs);
  t.is(new Set(slices).size, queries.length);
  for (const slice of slices) t.true(Object.isFrozen(slice));
  for (const [i, query] of queries.entries()) t.is<unknown, unknown>(prs({ ...query }), slices[i]);
});

test('however many ranges are read, few times the rows of the list are kept', (t) => {
  const { findings } = tenantIndex(
    dataset({
      user: aUser('a'),
      repos: [aRepo('r')],
      fixDrafts: Array.from({ length: 20 }, (_, number) => aDraft(`d${number}`, 'r')),
    }),
  );
  const range = (offset: number, limit: number) => findings({ repoId: undefined, offset, limit });
  const first = range(0, 20);
  t.is(range(0, 20), first);
  for (let limit = 1; limit <= 20; limit += 1) for (let at = 0; at < 20; at += limit) range(at, limit);
  t.not(range(0, 20), first);
  t.deepEqual(range(0, 20), first);
  t.deepEqual(range(20, 5), { rows: [], total: 20 });
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
