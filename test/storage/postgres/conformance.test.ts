import test from 'ava';
import { storageConformance } from '../../../src/storage/conformance/index.js';
import { openDatabase } from '../../../src/storage/postgres/database.js';
import { postgresStorage } from '../../../src/storage/postgres/postgres-storage.js';
import { fill } from './_fill.js';
import { connected, withPostgres } from './_postgres.js';

const { sharedDatabase } = withPostgres(test);
let url = '';
test.serial.before(async () => {
  url = await sharedDatabase();
});

const cases = storageConformance(async (datasets) => {
  await connected(url, async (client) => {
    await client.query('TRUNCATE triage.users CASCADE');
    await fill(client, datasets);
  });
  const primary = openDatabase({ url, poolSize: 10, timeLimit: 10_000 }, () => {});
  return { storage: postgresStorage({ primary, replica: null }, () => {}), close: primary.close };
});

for (const { name, run } of cases) {
  test.serial(`PostgreSQL: ${name}`, async (t) => {
    await t.notThrowsAsync(run());
  });
}
