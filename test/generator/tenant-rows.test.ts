import test from 'ava';
import { tenantRows } from '../../src/generator/tenant-rows.js';
import { aSpec, tally } from './_generated.js';

/** The first values of an iteration; the others are never generated. */
const take = <A>(count: number, values: Iterable<A>): readonly A[] => {
  const taken: A[] = [];
  for (const value of values) {
    taken.push(value);
    if (taken.length === count) break;
  }
  return taken;
};

for (const distribution of ['realistic', 'uniform', 'edge'] as const) {
  test(`${distribution}: rows are generated one at a time, even of a tenant with a trillion`, (t) => {
    const spec = aSpec({ distribution, repos: 40, findings: 10 ** 12, prs: 3 * 10 ** 11 });
    const { repos, fixDrafts, pullRequests } = tenantRows(spec);
    t.is(take(40, repos).length, 40);
    const drafts = take(2000, fixDrafts);
    t.is(new Set(drafts.map(({ id }) => id)).size, 2000);
    const draftIds = new Set(drafts.map(({ id }) => id));
    for (const { draftId } of take(300, pullRequests)) t.true(draftIds.has(draftId));
  });

  test(`${distribution}: a collection is the same each time, whichever others are walked through`, (t) => {
    const rows = tenantRows(aSpec({ distribution }));
    const before = Array.from(rows.fixDrafts);
    t.is(Array.from(rows.pullRequests).length, 25);
    t.deepEqual(Array.from(rows.fixDrafts), before);
  });
}

test('repositories have names of their own, however many there are', (t) => {
  const repos = Array.from(tenantRows(aSpec({ repos: 1000 })).repos);
  t.is(new Set(repos.map(({ owner, repo }) => `${owner}/${repo}`)).size, 1000);
});

test('pull requests are shared out within blocks, and each finding may have several', (t) => {
  const { pullRequests } = tenantRows(aSpec({ findings: 1600, prs: 800 }));
  const perFinding = tally(tally(Array.from(pullRequests, ({ draftId }) => draftId)).values());
  t.true((perFinding.get(1) ?? 0) > (perFinding.get(2) ?? 0));
  t.true((perFinding.get(2) ?? 0) > (perFinding.get(3) ?? 0));
  t.true((perFinding.get(3) ?? 0) > 0);
});
