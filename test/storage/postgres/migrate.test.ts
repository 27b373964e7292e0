import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import pg from 'pg';
import { resultOf, rowsFound } from '../../../src/storage/conformance/conformance-case.js';
import { acme, newAccount } from '../../../src/storage/conformance/sample-tenants.js';
import { singleConnection } from '../../../src/storage/postgres/database.js';
import { type MigrateEvent, type MigrateOptions, migrate } from '../../../src/storage/postgres/migrate.js';
import {
  migrationNames,
  ownMigrations,
  schemaProblem,
  schemaState,
} from '../../../src/storage/postgres/schema.js';
import { bySession } from '../../_storage.js';
import { aColumn, connected, fill, folderWith, opened, storageAt, withPostgres } from './_postgres.js';
import { loginOf, setUp } from './_role.js';

const { database, emptyDatabase, filled } = withPostgres(test);

test('of concurrent migrations one does the work, and later ones find nothing to do', async (t) => {
  const url = await emptyDatabase(t);
  const once = () => connected(url, (client) => migrate(client));
  const names = ownMigrations;
  t.true(names.length > 0);
  const results = await Promise.all([once(), once(), once()]);
  t.deepEqual(
    results.map((result) => (E.isRight(result) ? result.right : [])).sort((l, r) => l.length - r.length),
    [[], [], names],
  );
  t.deepEqual(await once(), E.right([]));
});

test('when a later migration fails, those before it are not applied either', async (t) => {
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
    t.deepEqual((await client.query("SELECT to_regnamespace('triage') AS schema")).rows, [{ schema: null }]);
    await writeFile(join(folder, '0003_wrong.sql'), 'SELECT 1;');
    t.deepEqual(await migrate(client, { folder }), E.right(names));
  });
  await writeFile(join(folder, '0003_wrong.sql'), wrong['0003_wrong']);
  await connected(await database(t), async (client) => {
    await failing(client);
    t.deepEqual(await schemaState(singleConnection(client)), E.right(null));
    await t.throwsAsync(client.query('SELECT note FROM triage.repos'), { code: '42703' });
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

test('whoever may read the table of migrations may find that there is nothing to do', async (t) => {
  const url = await database(t);
  const reader = await loginOf(t, url);
  const once = () => connected(reader.url, (client) => migrate(client));
  t.true(E.isLeft(await once()));
  await connected(url, (client) =>
    client.query(
      `GRANT USAGE ON SCHEMA triage TO ${reader.name}; GRANT SELECT ON triage.migrations TO ${reader.name}`,
    ),
  );
  t.deepEqual(await once(), E.right([]));
});

test('a missing, older or newer schema is reported with the command to run', async (t) => {
  const state = async (url: string) => {
    const looked = await schemaState(opened(t, url));
    return E.isRight(looked) ? schemaProblem(looked.right) : looked.left;
  };
  t.regex(String(await state(await emptyDatabase(t))), /older .*0001_schema.*run: triage-api db migrate/);
  const url = await database(t);
  t.is(await state(url), null);
  await connected(url, (client) => client.query('DELETE FROM triage.migrations '));
  const missing = ownMigrations;
  t.true(String(await state(url)).includes(`(not applied: ${missing.join(', ')})`));
  const storage = storageAt(t, url);
  t.deepEqual(await storage.ready(), E.left({ _tag: 'SchemaOlder', missing }));
  await connected(url, (client) =>
    client.query("INSERT INTO triage.migrations (name) VALUES ('9999_later')"),
  );
  t.regex(String(await state(url)), /newer .*9999_later/);
  const refused = await connected(url, (client) => migrate(client));
  t.true(E.isLeft(refused) && refused.left._tag === 'UnsuitableDatabase');
  await connected(url, (client) => client.query('DROP SCHEMA triage CASCADE'));
  t.like(await storage.ready(), { left: { _tag: 'SchemaOlder' } });
});

test('a database in another encoding is refused', async (t) => {
  const url = await emptyDatabase(t, "TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'");
  const refused = await connected(url, (client) => migrate(client));
  t.deepEqual(
    refused,
    E.left({ _tag: 'UnsuitableDatabase', reason: 'the encoding of the database is LATIN1; it must be UTF8' }),
  );
});

/** A transaction that stays open after a statement. */
const holding = async (t: ExecutionContext, url: string, statement: string) => {
  const client = new pg.Client({ connectionString: url, application_name: 'a long report' });
  await client.connect();
  t.teardown(() => client.end());
  await client.query('BEGIN');
  await client.query(statement);
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid, current_user AS role');
  let isOpen = true;
  const end = (): void => {
    if (isOpen) void client.query('COMMIT');
    isOpen = false;
  };
  return { end, holder: `process ${rows[0].pid} (a long report, role ${rows[0].role})` };
};

const readsRepos = 'SELECT count(*) FROM triage.repos';

/** A column takes a lock that no reader may hold. */
const addColumn = async (t: ExecutionContext, url: string, options: Partial<MigrateOptions>) => {
  const folder = await folderWith(t, aColumn);
  return connected(url, (client) => migrate(client, { ...options, folder }));
};

const hasColumn = async (client: pg.Client): Promise<boolean> =>
  (
    await client.query(
      "SELECT FROM pg_attribute WHERE attrelid = 'triage.repos'::regclass AND attname = 'note'",
    )
  ).rows.length > 0;

const applied = E.right(['0002_note']);

test('while a migration does not get its lock, requests are answered; it gives up in the end, and nothing has changed', async (t) => {
  const url = await filled(t, acme);
  const { holder } = await holding(t, url, readsRepos);
  const storage = storageAt(t, url, { timeLimit: 60_000 });
  const events: MigrateEvent[] = [];
  const answers: boolean[] = [];
  let isOver = false;
  const reading = (async () => {
    while (!isOver) answers.push(E.isRight(await storage.repos(bySession('acme-cookie'))));
  })();
  const result = await addColumn(t, url, {
    lockTimeout: 50,
    pauses: [10, 20],
    onEvent: (event) => events.push(event),
  });
  // The reader still has its lock: a request that had to wait for it would never be answered.
  isOver = true;
  await reading;
  t.true(E.isLeft(result) && result.left._tag === 'StorageUnavailable', JSON.stringify(result));
  // A request that takes long on a busy machine may hold a lock for as long.
  for (const [index, { text }] of events.entries())
    t.true(text.startsWith('no lock within 50 ms') && text.includes(holder), `${index}: ${text}`);
  t.deepEqual(
    events.map(({ text }) => text.slice(text.indexOf('; '))),
    ['; nothing has changed; trying again in 0.01 s', '; nothing has changed; trying again in 0.02 s'],
  );
  t.true(answers.length > 0 && answers.every((isAnswered) => isAnswered));
  await connected(url, async (client) => t.false(await hasColumn(client)));
});

test('it waits for another migration with a limit: any role can take its lock', async (t) => {
  const url = await emptyDatabase(t);
  await connected(url, async (holder) => {
    await holder.query('SELECT pg_advisory_lock(7241865325823964)');
    const done = await connected(url, (client) => migrate(client, { migrationTimeout: 200 }));
    t.regex(JSON.stringify(done), /another migration has not ended within 0.2 s; end its session/);
  });
});

const waits: Readonly<Record<string, readonly [statement: string, told: (holder: string) => string]>> = {
  'it says which table is locked, and who holds the lock, and succeeds when the lock is free': [
    readsRepos,
    (holder) =>
      `no lock within 10 ms: triage.repos is locked by ${holder}; nothing has changed; trying again in 0.01 s`,
  ],
  'it waits for another migration, and says so': [
    'SELECT pg_advisory_xact_lock(7241865325823964)',
    (holder) => `waiting for another migration, run by ${holder}`,
  ],
};

for (const [title, [statement, told]] of Object.entries(waits)) {
  test(title, async (t) => {
    const url = await database(t);
    const { end, holder } = await holding(t, url, statement);
    const lines: string[] = [];
    const result = await addColumn(t, url, {
      lockTimeout: 10,
      pauses: Array.from({ length: 1000 }, () => 10),
      onEvent: ({ _tag, text }) => {
        if (_tag !== 'Waiting') return;
        lines.push(text);
        end();
      },
    });
    t.deepEqual(result, applied);
    t.is(lines[0], told(holder));
  });
}

test('a role without superuser rights says who holds a lock', async (t) => {
  const url = await database(t);
  const { owner } = await setUp(t, url);
  const { url: own } = await loginOf(t, url, `IN ROLE ${owner}`);
  const { holder } = await holding(t, url, readsRepos);
  const lines: string[] = [];
  const onEvent = ({ text }: MigrateEvent) => lines.push(text);
  t.true(E.isLeft(await addColumn(t, own, { lockTimeout: 10, pauses: [10], onEvent })));
  t.deepEqual(
    lines.map((line) => / is locked by (.*?);/.exec(line)?.[1]),
    [holder],
  );
});

test('while it waits for a vacuum, rows are read and written', async (t) => {
  const url = await filled(t, acme);
  const { end } = await holding(t, url, 'LOCK TABLE triage.repos IN SHARE UPDATE EXCLUSIVE MODE');
  const migration = addColumn(t, url, { lockTimeout: 600_000 });
  await connected(url, async (client) => {
    const isWaiting = async () =>
      (await client.query("SELECT FROM pg_locks WHERE relation = 'triage.repos'::regclass AND NOT granted"))
        .rows.length > 0;
    while (!(await isWaiting())) await new Promise((resolve) => setTimeout(resolve, 10));
    t.true(E.isRight(await storageAt(t, url, { timeLimit: 60_000 }).repos(bySession('acme-cookie'))));
    await client.query("UPDATE triage.repos SET owner = 'written meanwhile'");
  });
  end();
  t.deepEqual(await migration, applied);
});
