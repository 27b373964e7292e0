import test from 'ava';
import { openDatabase, type Pool } from '../../src/postgres/database.js';
import { postgresStorage } from '../../src/postgres/storage.js';
import { storageConformance } from '../../src/storage-kit/conformance/index.js';
import { patient } from '../_storage.js';
import { elapsed, refill, withPostgres } from './_postgres.js';
import { type ServingRole, servingRole } from './_role.js';

const { beforeStop, sharedDatabase } = withPostgres(test);
let url = '';
let role: ServingRole | undefined;
let pool: Pool | undefined;
test.serial.before(async () => {
  url = await sharedDatabase();
  role = await servingRole(url);
  pool = openDatabase({ url: role.url, poolSize: 10, timeLimit: 60_000, elapsed }, () => {});
});
beforeStop(async () => {
  await pool?.close();
  await role?.drop();
});

// The owner of the tables, to whom row-level security does not apply, is what most other tests use.
const cases = storageConformance(async (datasets) => {
  if (pool === undefined) throw new Error('the database has not been opened');
  await refill(url, datasets);
  // All cases share the pool, so its connections keep their prepared statements.
  return { storage: postgresStorage({ database: pool }, () => {}), close: async () => {} };
}, patient);
for (const { name, run } of cases) {
  test.serial(`PostgreSQL, as a serving role: ${name}`, async (t) => {
    await t.notThrowsAsync(run());
  });
}
