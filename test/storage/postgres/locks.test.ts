import test, { type ExecutionContext } from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import pg from 'pg';
import { acme } from '../../../src/storage/conformance/sample-tenants.js';
import { type MigrateEvent, type MigrateOptions, migrate } from '../../../src/storage/postgres/migrate.js';
import { bySession } from '../../_storage.js';
import { aColumn, folderWith } from './_migrations.js';
import { connected, storageAt, withPostgres } from './_postgres.js';

const { database, filled } = withPostgres(test);

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
  return connected(url, (client) => migrate(client, { ...options, folder })());
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
    while (!isOver) answers.push(E.isRight(await storage.repos(bySession('acme-cookie'))()));
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

const waits: Readonly<Record<string, readonly [statement: string, told: (holder: string) => string]>> = {
  'it says which table is locked, and who holds the lock, and succeeds when the lock is free': [
    readsRepos,
    (holder) =>
      `no lock within 10 ms: triage.repos is locked by ${holder}; nothing has changed; trying again in 0.01 s`,
  ],
  'it waits for another migration without a limit, and says so': [
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

test('while it waits for a vacuum, rows are read and written', async (t) => {
  const url = await filled(t, acme);
  const { end } = await holding(t, url, 'LOCK TABLE triage.repos IN SHARE UPDATE EXCLUSIVE MODE');
  const migration = addColumn(t, url, { lockTimeout: 600_000 });
  await connected(url, async (client) => {
    const isWaiting = async () =>
      (await client.query("SELECT FROM pg_locks WHERE relation = 'triage.repos'::regclass AND NOT granted"))
        .rows.length > 0;
    while (!(await isWaiting())) await new Promise((resolve) => setTimeout(resolve, 10));
    t.true(E.isRight(await storageAt(t, url, { timeLimit: 60_000 }).repos(bySession('acme-cookie'))()));
    await client.query("UPDATE triage.repos SET owner = 'written meanwhile'");
  });
  end();
  t.deepEqual(await migration, applied);
});
