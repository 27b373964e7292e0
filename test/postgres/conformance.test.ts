import test from 'ava';
import { openDatabase, type Pool } from '../../src/postgres/database.js';
import { postgresStorage } from '../../src/postgres/storage.js';
import { storageConformance } from '../../src/storage-kit/conformance/index.js';
import { acme, other } from '../../src/storage-kit/conformance/sample-tenants.js';
import { patient } from '../_storage.js';
import { elapsed, refill, withPostgres } from './_postgres.js';
import { answersWhateverThePlan } from './_reads.js';
import { roleOfTheDocuments, type ServingRole, servingRole } from './_role.js';

const { beforeStop, filled, sharedDatabase } = withPostgres(test);
let url = '';
let role: ServingRole | undefined;
const pools: Pool[] = [];
test.serial.before(async () => {
  url = await sharedDatabase();
  role = await servingRole(url);
  for (const address of [url, role.url])
    pools.push(openDatabase({ url: address, poolSize: 10, timeLimit: 60_000, elapsed }, () => {}));
});
beforeStop(async () => {
  for (const { close } of pools) await close();
  await role?.drop();
});

// Row-level security does not apply to the owner; the rights of a role suffice for all that a storage does.
for (const [index, who] of ['the owner', 'a serving role'].entries()) {
  const cases = storageConformance(async (datasets) => {
    const [database] = pools.slice(index);
    if (database === undefined) throw new Error('the database has not been opened');
    await refill(url, datasets);
    // All cases share the pool, so its connections keep their prepared statements.
    return { storage: postgresStorage({ database }, () => {}), close: async () => {} };
  }, patient);
  for (const { name, run } of cases) {
    test.serial(`PostgreSQL as ${who}: ${name}`, async (t) => {
      await t.notThrowsAsync(run());
    });
  }
}

test('each read has the right answer whatever the planner does, for a serving role', async (t) => {
  const own = await filled(t, acme, other);
  await answersWhateverThePlan(t, own, await roleOfTheDocuments(t, own));
});
