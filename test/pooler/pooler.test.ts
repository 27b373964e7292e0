import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { openDatabase } from '../../src/postgres/database.js';
import { postgresStorage } from '../../src/postgres/storage.js';
import { storageConformance } from '../../src/storage-kit/conformance/index.js';
import { acme } from '../../src/storage-kit/conformance/sample-tenants.js';
import { bySession, patient } from '../_storage.js';
import { connected, elapsed, fill, refill, storageAt, withPostgres } from '../postgres/_postgres.js';
import { roleOfTheDocuments } from '../postgres/_role.js';
import { startPgbouncer } from './_pgbouncer.js';

const { database, sharedDatabase } = withPostgres(test);
let url = '';
let pooled = '';
let stop = async (): Promise<void> => {};
test.serial.before(async () => {
  url = await sharedDatabase();
  ({ url: pooled, stop } = await startPgbouncer(url));
});
test.after.always(() => stop());

const cases = storageConformance(async (datasets) => {
  await refill(url, datasets);
  const pool = openDatabase({ url: pooled, poolSize: 10, timeLimit: 10_000, elapsed }, () => {});
  return { storage: postgresStorage({ database: pool }, () => {}), close: pool.close };
}, patient);

for (const { name, run } of cases) {
  test.serial(`behind pgbouncer in transaction mode: ${name}`, async (t) => {
    await t.notThrowsAsync(run());
  });
}

test.serial('behind pgbouncer, many more clients than connections are answered', async (t) => {
  await refill(url, [acme]);
  const storage = storageAt(t, pooled, { poolSize: 40, timeLimit: 20_000 });
  const answers = await Promise.all(
    // No two are equal: each gets an answer of its own.
    Array.from({ length: 400 }, (_, offset) =>
      storage.findings(bySession('acme-cookie'), { repoId: undefined, offset, limit: 5 }),
    ),
  );
  t.true(answers.every(E.isRight));
});

test.serial('the limit of the documented role cancels a slow statement behind the pooler', async (t) => {
  const own = await database(t);
  await connected(own, (client) => fill(client, [acme]));
  const asRole = await roleOfTheDocuments(t, own);
  const { url: throughPooler, stop: stopOwn } = await startPgbouncer(asRole);
  t.teardown(stopOwn);
  const storage = storageAt(t, throughPooler, { timeLimit: 1500 });
  t.true(E.isRight(await storage.repos(bySession('acme-cookie'))));
  await connected(throughPooler, async (client) => {
    await t.throwsAsync(client.query('SELECT pg_sleep(60)'), { code: '57014' });
  });
});
