import test from 'ava';
import fc from 'fast-check';
import { tenant } from '../../../src/storage/conformance/arbitraries.js';
import type { Tenant } from '../../../src/storage/conformance/contract-model.js';
import { type Example, reduceTenants, sizeOf } from '../../../src/storage/conformance/reduce-tenants.js';
import { runs } from '../../_runs.js';

const never = () => false;

const example = (left: Tenant, right: Tenant): Example => ({
  left,
  right,
  path: '/api/v1/findings?page=2&limit=7',
});

/** Whether every reference leads to a row. */
const isWhole = ({ repos, scans, fixDrafts, pullRequests }: Tenant): boolean => {
  const repoIds = new Set(repos.map(({ id }) => id));
  const draftIds = new Set(fixDrafts.map(({ id }) => id));
  return (
    [...scans, ...fixDrafts].every(({ repoId }) => repoIds.has(repoId)) &&
    pullRequests.every(({ draftId }) => draftIds.has(draftId))
  );
};

test('what does not matter is removed, references stay valid, and nothing is tried twice', async (t) => {
  await fc.assert(
    fc.asyncProperty(tenant, tenant, async (left, right) => {
      const prId = left.pullRequests.at(-1)?.id;
      fc.pre(prId !== undefined);
      const found = example(left, right);
      // The first attempt is without the other tenant, who may have nothing.
      let size = sizeOf(found) + 1;
      const { smallest } = await reduceTenants(
        found,
        async (each) => {
          t.true(isWhole(each.left) && isWhole(each.right));
          t.true(sizeOf(each) < size);
          const fails = each.left.pullRequests.some(({ id }) => id === prId) && each.path.includes('limit=7');
          if (fails) size = sizeOf(each);
          return fails;
        },
        never,
      );
      // The pull request, its draft, its repository, and the parameter.
      t.is(sizeOf(smallest), 4);
      t.is(smallest.path, '/api/v1/findings?limit=7');
    }),
    runs(50),
  );
});

test('an example that nothing can be removed from stays, and so does one when it is late', async (t) => {
  const [left, right] = fc.sample(tenant, { numRuns: 2, seed: 1 });
  if (left === undefined || right === undefined) return t.fail();
  const found = example(left, right);
  t.is((await reduceTenants(found, async () => false, never)).smallest, found);
  const late = await reduceTenants(
    found,
    async () => true,
    () => true,
  );
  t.deepEqual(late, { smallest: found, tried: 0 });
});
