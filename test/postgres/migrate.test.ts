import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import pg from 'pg';
import { singleConnection } from '../../src/postgres/database.js';
import { migrate } from '../../src/postgres/migrate.js';
import { migrationNames, migrationsFolder, schemaState } from '../../src/postgres/schema.js';
import { resultOf } from '../../src/storage-kit/conformance/conformance-case.js';
import { acme, newAccount } from '../_data.js';
import { bySession } from '../_storage.js';
import { aColumn, connected, fill, folderWith, storageAt, withPostgres } from './_postgres.js';

const { database, emptyDatabase, filled } = withPostgres(test);

/** Migrates as a command does, on a connection of its own. */
const migrated = (url: string, options: Parameters<typeof migrate>[1] = {}) =>
  connected(url, (client) => migrate(client, options));

test('of concurrent migrations one does the work, and later ones find nothing to do', async (t) => {
  const url = await emptyDatabase(t);
  const results = await Promise.all([migrated(url), migrated(url), migrated(url)]);
  const applied = results.map((result) => (E.isRight(result) ? result.right.join() : 'failed'));
  t.deepEqual(applied.sort(), ['', '', migrationNames(migrationsFolder).join()]);
  t.deepEqual(await migrated(url), E.right([]));
});

test('a migration that fails changes nothing, and those before it stay applied', async (t) => {
  const wrong = { ...aColumn, '0003_wrong': "UPDATE triage.repos SET note = 'x'; SELECT 1 / 0;" };
  const folder = await folderWith(t, wrong);
  await connected(await emptyDatabase(t), async (client) => {
    for (const datasets of [[], [acme]]) {
      await fill(client, datasets);
      const failed = await migrate(client, { folder });
      t.like(failed, { left: { _tag: 'StorageFailed' } });
      t.regex(inspect(failed), /0003_wrong: division by zero/);
      const state = await schemaState(singleConnection(client), migrationNames(folder));
      t.deepEqual(state, E.right({ _tag: 'SchemaOlder', missing: ['0003_wrong'] }));
    }
    t.is((await client.query('SELECT FROM triage.repos WHERE note IS NOT NULL')).rowCount, 0);
    await writeFile(join(folder, '0003_wrong.sql'), 'SELECT 1;');
    t.deepEqual(await migrate(client, { folder }), E.right(['0003_wrong']));
  });
});

test('a later migration is missing until it is applied, and this version works with it', async (t) => {
  const url = await database(t);
  const folder = await folderWith(t, aColumn);
  const ofLater = () =>
    connected(url, (client) => schemaState(singleConnection(client), migrationNames(folder)));
  t.deepEqual(await ofLater(), E.right({ _tag: 'SchemaOlder', missing: ['0002_note'] }));
  t.deepEqual(await migrated(url, { folder }), E.right(['0002_note']));
  t.deepEqual(await migrated(url, { folder }), E.right([]));
  t.deepEqual(await ofLater(), E.right(null));
  await connected(url, (client) => fill(client, [acme]));
  const storage = storageAt(t, url);
  await resultOf(storage.signUp(await newAccount('new'), null));
  t.true(E.isRight(await storage.repos(bySession('acme-cookie'))));
  const newer = { _tag: 'SchemaNewer', unknown: ['0002_note'] } as const;
  t.deepEqual(await storage.ready(), E.right(newer));
  await connected(url, (client) => client.query('DROP FUNCTION triage.caller_of'));
  const unready = await storage.ready();
  t.like(unready, { left: newer });
  t.regex(inspect(unready), /triage\.caller_of/);
});

test('a database in another encoding is refused', async (t) => {
  const url = await emptyDatabase(t, "TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'");
  const reason = 'the encoding of the database is LATIN1; it must be UTF8';
  t.deepEqual(await migrated(url), E.left({ _tag: 'UnsuitableDatabase', reason }));
});

test('while a migration does not get its lock, requests are answered; it gives up in the end, and nothing has changed', async (t) => {
  const url = await filled(t, acme);
  const storage = storageAt(t, url, { timeLimit: 60_000 });
  const lines: string[] = [];
  // A column takes a lock that no reader may hold.
  const folder = await folderWith(t, aColumn);
  await connected(url, async (holder) => {
    await holder.query('BEGIN; SELECT count(*) FROM triage.repos');
    const onEvent = ({ _tag, text }: Readonly<{ _tag: string; text: string }>) =>
      lines.push(`${_tag}: ${text}`);
    let result: unknown = null;
    const migrating = migrated(url, { folder, lockTimeout: 50, retries: 1, onEvent }).then((ended) => {
      result = ended;
    });
    // The holder still has its lock: a request that had to wait for it would never be answered.
    do t.true(E.isRight(await storage.repos(bySession('acme-cookie'))));
    while (result === null);
    await migrating;
    t.like(result, { left: { _tag: 'StorageUnavailable' } });
  });
  t.deepEqual(lines, ['Waiting: 0002_note: no lock within 50 ms; trying again in a second']);
  const column = "SELECT FROM pg_attribute WHERE attrelid = 'triage.repos'::regclass AND attname = 'note'";
  await connected(url, async (client) => t.is((await client.query(column)).rowCount, 0));
});

// Any role can take the lock of migrations, and keep it.
test('a migration that waits for another one says so, and gives up after its time limit', async (t) => {
  const url = await emptyDatabase(t);
  await connected(url, async (holder) => {
    await holder.query('SELECT pg_advisory_lock(7241865325823964)');
    const lines: string[] = [];
    const onEvent = ({ text }: Readonly<{ text: string }>) => lines.push(text);
    const once = (migrationTimeout: number) => migrated(url, { migrationTimeout, lockTimeout: 10, onEvent });
    t.regex(JSON.stringify(await once(200)), /another migration has not ended within 0.2 s; end its session/);
    t.is(lines[0], 'waiting for another migration to end');
    const waiting = once(60_000);
    await holder.query('SELECT pg_advisory_unlock(7241865325823964)');
    t.true(E.isRight(await waiting));
  });
});

test('the locks of a run whose connection is lost while it waits are free soon', async (t) => {
  const url = await filled(t, acme);
  const client = new pg.Client({ connectionString: url });
  await client.on('error', () => {}).connect();
  await connected(url, async (holder) => {
    await holder.query('BEGIN; LOCK TABLE triage.repos IN SHARE UPDATE EXCLUSIVE MODE');
    const lost = migrate(client, { folder: await folderWith(t, aColumn), lockTimeout: 60_000 });
    const waiting = "SELECT FROM pg_locks WHERE relation = 'triage.repos'::regclass AND NOT granted";
    while ((await holder.query(waiting)).rowCount === 0);
    Object(client).connection.stream.destroy();
    t.true(E.isLeft(await lost));
    // On the connection of the holder this would be a deadlock, which ends the lost run.
    await connected(url, async (other) => {
      await other.query("SET lock_timeout = '30s'");
      await t.notThrowsAsync(other.query('SELECT pg_advisory_lock(7241865325823964)'));
    });
  });
});
