import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import pg from 'pg';
import { singleConnection } from '../../src/postgres/database.js';
import { migrate } from '../../src/postgres/migrate.js';
import { migrationNames, migrationsFolder, schemaState } from '../../src/postgres/schema.js';
import { resultOf, rowsFound } from '../../src/storage-kit/conformance/conformance-case.js';
import { acme, newAccount } from '../../src/storage-kit/conformance/sample-tenants.js';
import { bySession } from '../_storage.js';
import { aColumn, connected, fill, folderWith, storageAt, withPostgres } from './_postgres.js';

const { database, emptyDatabase, filled } = withPostgres(test);

test('of concurrent migrations one does the work, and later ones find nothing to do', async (t) => {
  const url = await emptyDatabase(t);
  const once = () => connected(url, (client) => migrate(client));
  const names = migrationNames(migrationsFolder);
  t.true(names.length > 0);
  const results = await Promise.all([once(), once(), once()]);
  t.deepEqual(
    results.map((result) => (E.isRight(result) ? result.right : [])).sort((l, r) => l.length - r.length),
    [[], [], names],
  );
  t.deepEqual(await once(), E.right([]));
});

test('a migration that fails changes nothing, and those before it stay applied', async (t) => {
  const wrong = { ...aColumn, '0003_wrong': "UPDATE triage.repos SET note = 'x'; SELECT 1 / 0;" };
  const folder = await folderWith(t, wrong);
  const names = migrationNames(folder);
  const failing = async (client: pg.Client): Promise<void> => {
    const left = await migrate(client, { folder });
    t.true(E.isLeft(left) && left.left._tag === 'StorageFailed');
    t.regex(String(E.isLeft(left) && Object(left.left).cause), /0003_wrong: division by zero/);
  };
  await connected(await emptyDatabase(t), async (client) => {
    await failing(client);
    t.deepEqual(
      await schemaState(singleConnection(client), names),
      E.right({ _tag: 'SchemaOlder', missing: ['0003_wrong'] }),
    );
    await fill(client, [acme]);
    await failing(client);
    t.deepEqual((await client.query('SELECT FROM triage.repos WHERE note IS NOT NULL')).rowCount, 0);
    await writeFile(join(folder, '0003_wrong.sql'), 'SELECT 1;');
    t.deepEqual(await migrate(client, { folder }), E.right(['0003_wrong']));
  });
});

test('a later migration is missing until it is applied, and this version works with it', async (t) => {
  const url = await database(t);
  const folder = await folderWith(t, aColumn);
  const state = (names?: readonly string[]) =>
    connected(url, (client) => schemaState(singleConnection(client), names));
  const ofLater = () => state(migrationNames(folder));
  t.deepEqual(await ofLater(), E.right({ _tag: 'SchemaOlder', missing: ['0002_note'] }));
  await connected(url, async (client) => {
    t.deepEqual(await migrate(client, { folder }), E.right(['0002_note']));
    t.deepEqual(await migrate(client, { folder }), E.right([]));
    await fill(client, [acme]);
  });
  t.deepEqual(await ofLater(), E.right(null));
  t.deepEqual(await state(), E.right({ _tag: 'SchemaNewer', unknown: ['0002_note'] }));
  const storage = storageAt(t, url);
  await resultOf(storage.signUp(await newAccount('new'), null));
  t.is((await rowsFound(storage.repos(bySession('acme-cookie')))).length, acme.repos.length);
  const newer = { _tag: 'SchemaNewer', unknown: ['0002_note'] } as const;
  t.deepEqual(await storage.ready(), E.right(newer));
  await connected(url, (client) => client.query('DROP FUNCTION triage.caller_of'));
  const unready = await storage.ready();
  t.like(unready, { left: newer });
  t.regex(inspect(unready), /triage\.caller_of/);
});

test('a database in another encoding is refused', async (t) => {
  const url = await emptyDatabase(t, "TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'");
  const refused = await connected(url, (client) => migrate(client));
  t.deepEqual(
    refused,
    E.left({ _tag: 'UnsuitableDatabase', reason: 'the encoding of the database is LATIN1; it must be UTF8' }),
  );
});

/** Keeps a transaction open after a statement, until the test is over. */
const holding = async (t: ExecutionContext, url: string, statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  t.teardown(() => client.end());
  await client.query('BEGIN');
  await client.query(statement);
};

type MigrateOptions = NonNullable<Parameters<typeof migrate>[1]>;

test('while a migration does not get its lock, requests are answered; it gives up in the end, and nothing has changed', async (t) => {
  const url = await filled(t, acme);
  await holding(t, url, 'SELECT count(*) FROM triage.repos');
  const storage = storageAt(t, url, { timeLimit: 60_000 });
  const events: Parameters<NonNullable<MigrateOptions['onEvent']>>[0][] = [];
  const answers: boolean[] = [];
  let isOver = false;
  const reading = (async () => {
    while (!isOver) answers.push(E.isRight(await storage.repos(bySession('acme-cookie'))));
  })();
  // A column takes a lock that no reader may hold.
  const folder = await folderWith(t, aColumn);
  const onEvent: MigrateOptions['onEvent'] = (event) => events.push(event);
  const result = await connected(url, (client) =>
    migrate(client, { folder, lockTimeout: 50, retries: 1, onEvent }),
  );
  // The reader still has its lock: a request that had to wait for it would never be answered.
  isOver = true;
  await reading;
  t.true(E.isLeft(result) && result.left._tag === 'StorageUnavailable', JSON.stringify(result));
  const told = '0002_note: no lock within 50 ms; trying again in a second';
  t.deepEqual(events, [{ _tag: 'Waiting', text: told }]);
  t.true(answers.length > 0 && answers.every((isAnswered) => isAnswered));
  const column = "SELECT FROM pg_attribute WHERE attrelid = 'triage.repos'::regclass AND attname = 'note'";
  await connected(url, async (client) => t.is((await client.query(column)).rowCount, 0));
});

// Any role can take the lock of migrations, and keep it.
test('a migration that waits for another one says so, and gives up after its time limit', async (t) => {
  const url = await emptyDatabase(t);
  await connected(url, async (holder) => {
    await holder.query('SELECT pg_advisory_lock(7241865325823964)');
    const lines: string[] = [];
    const onEvent: MigrateOptions['onEvent'] = ({ text }) => lines.push(text);
    const once = (migrationTimeout: number) =>
      connected(url, (client) => migrate(client, { migrationTimeout, lockTimeout: 10, onEvent }));
    t.regex(JSON.stringify(await once(200)), /another migration has not ended within 0.2 s; end its session/);
    t.is(lines[0], 'waiting for another migration to end');
    const waiting = once(60_000);
    await holder.query('SELECT pg_advisory_unlock(7241865325823964)');
    t.true(E.isRight(await waiting));
  });
});

test('the locks of a run whose connection is lost while it waits are free soon', async (t) => {
  const url = await filled(t, acme);
  await holding(t, url, 'LOCK TABLE triage.repos IN SHARE UPDATE EXCLUSIVE MODE');
  const client = new pg.Client({ connectionString: url });
  await client.on('error', () => {}).connect();
  const lost = migrate(client, { folder: await folderWith(t, aColumn), lockTimeout: 60_000 });
  await connected(url, async (other) => {
    const waiting = "SELECT FROM pg_locks WHERE relation = 'triage.repos'::regclass AND NOT granted";
    while ((await other.query(waiting)).rowCount === 0)
      await new Promise((resolve) => setTimeout(resolve, 10));
    Object(client).connection.stream.destroy();
    t.true(E.isLeft(await lost));
    await other.query("SET lock_timeout = '30s'");
    await t.notThrowsAsync(other.query('SELECT pg_advisory_lock(7241865325823964)'));
  });
});
