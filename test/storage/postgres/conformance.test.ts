import test from 'ava';
import { storageConformance } from '../../../src/storage/conformance/index.js';
import { type Database, openDatabase } from '../../../src/storage/postgres/database.js';
import { postgresStorage } from '../../../src/storage/postgres/storage.js';
import { patient } from '../../_storage.js';
import { connected, fill, withPostgres } from './_postgres.js';

const { beforeStop, sharedDatabase } = withPostgres(test);
let url = '';
let pool: Database | undefined;
test.serial.before(async () => {
  url = await sharedDatabase();
  pool = openDatabase({ url, poolSize: 10, timeLimit: 10_000 }, () => {});
});
beforeStop(async () => pool?.close());

const cases = storageConformance(async (datasets) => {
  if (pool === undefined) throw new Error('the database has not been opened');
  await connected(url, async (client) => {
    await client.query('TRUNCATE triage.users CASCADE');
    await fill(client, datasets);
  });
  // All cases share the pool, so its connections keep their prepared statements.
  return { storage: postgresStorage({ database: pool }, () => {}), close: async () => {} };
}, patient);

for (const { name, run } of cases) {
  test.serial(`PostgreSQL: ${name}`, async (t) => {
    await t.notThrowsAsync(run());
  });
}
