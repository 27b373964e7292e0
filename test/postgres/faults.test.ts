import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type pg from 'pg';
import type { Storage } from '../../src/accounts/account-storage.js';
import type { NotReady } from '../../src/api/storage-port.js';
import { openDatabase } from '../../src/postgres/database.js';
import { functionsOfServers } from '../../src/postgres/readiness.js';
import { postgresStorage } from '../../src/postgres/storage.js';
import { firstPage } from '../../src/storage-kit/conformance/conformance-case.js';
import { acme } from '../../src/storage-kit/conformance/sample-tenants.js';
import { cookie, serve } from '../_server.js';
import { bySession, byToken } from '../_storage.js';
import { connected, elapsed, opened, storageAt, withPostgres } from './_postgres.js';
import { proxyTo } from './_proxy.js';
import { memberOf, setUp } from './_role.js';

const { database, filled } = withPostgres(test);

const required = functionsOfServers.single;

const whyUnready = async (storage: Storage): Promise<NotReady | null> => {
  const ready = await storage.ready();
  return E.isLeft(ready) ? ready.left : null;
};

/** What is wrong, with the message of the cause. */
const textOf = (error: NotReady | null): string =>
  error === null ? 'ready' : 'cause' in error ? `${error._tag}: ${error.cause}` : error._tag;

/** The rights in the schema that a role has. */
const rightsOf = async (client: pg.Client, role: string): Promise<readonly string[]> => {
  const { rows } = await client.query(
    `SELECT 'EXECUTE ON FUNCTION ' || oid::regprocedure AS name FROM pg_proc
     WHERE pronamespace = 'triage'::regnamespace AND has_function_privilege($1, oid, 'EXECUTE')
     UNION ALL SELECT 'SELECT ON ' || oid::regclass FROM pg_class
     WHERE relnamespace = 'triage'::regnamespace AND relkind = 'r' AND has_table_privilege($1, oid, 'SELECT')
     UNION ALL SELECT 'USAGE ON SCHEMA triage'`,
    [role],
  );
  return rows.map(({ name }) => String(name));
};

test('a right that a serving role lacks, and a function that is missing, make a storage unready', async (t) => {
  const url = await database(t);
  const { serve: role } = await setUp(t, url);
  const storage = storageAt(t, await memberOf(t, url, role));
  t.is(textOf(await whyUnready(storage)), 'ready');
  await connected(url, async (client) => {
    const rights = await rightsOf(client, role);
    t.true(rights.length >= required.length + 6, String(rights));
    for (const right of rights) {
      await client.query(`REVOKE ${right} FROM ${role}`);
      const [name = ''] = /\w+(?=\(|$)/.exec(right) ?? [];
      const text = textOf(await whyUnready(storage));
      t.regex(text, /^StorageFailed: /, right);
      t.true(text.includes(name), `${right}: ${text}`);
      await client.query(`GRANT ${right} TO ${role}`);
    }
    t.is(textOf(await whyUnready(storage)), 'ready');
    await client.query('ALTER FUNCTION triage.caller_of RENAME TO of_another_version');
    t.regex(textOf(await whyUnready(storage)), /^StorageFailed: .*triage\.caller_of$/);
  });
});

test('readiness is checked on its own connection while all connections for requests are busy', async (t) => {
  const url = await database(t);
  const busy = opened(t, url, { poolSize: 1, timeLimit: 600_000 });
  const storage = postgresStorage({ database: busy }, () => {});
  await connected(url, async (client) => {
    await client.query('SELECT pg_advisory_lock(1)');
    const waiting = busy.query({ text: 'SELECT pg_advisory_lock(1)', values: [] });
    const request = storage.repos(byToken('t'));
    t.is(textOf(await whyUnready(storage)), 'ready');
    await client.query('SELECT pg_advisory_unlock(1)');
    t.true(E.isRight(await waiting));
    t.deepEqual(await request, E.left({ _tag: 'Unauthorized' }));
  });
});

const credentials = bySession('acme-cookie');
const path = '/api/v1/findings';

const tagOf = async (storage: Storage): Promise<string> => {
  const answer = await storage.repos(credentials);
  return E.isLeft(answer) ? answer.left._tag : 'answered';
};

/** Polls until the expected result; the test runner's time limit applies. */
const until = async (look: () => Promise<string>, expected: string): Promise<void> => {
  while ((await look()) !== expected) await new Promise((resolve) => setTimeout(resolve, 50));
};

/** Locks the repositories while `work` runs, so that reads of them wait. */
const locked = (url: string, work: () => Promise<void>): Promise<void> =>
  connected(url, async (client) => {
    await client.query('BEGIN; LOCK TABLE triage.repos IN ACCESS EXCLUSIVE MODE');
    await work();
    await client.query('ROLLBACK');
  });

/** The number of our statements that the server is running. */
const running = (url: string) => (): Promise<string> =>
  connected(url, async (client) => {
    const { rows } = await client.query(
      `SELECT count(*) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'triage-api' AND state = 'active'`,
    );
    return String(rows[0].count);
  });

test('the server cancels a slow statement, its connection is used again, and replaced when it has ended', async (t) => {
  const url = await filled(t, acme);
  const limited = storageAt(t, url, { timeLimit: 400, poolSize: 1 });
  await locked(url, async () => {
    t.is(await tagOf(limited), 'StorageUnavailable');
    await until(running(url), '0');
  });
  await until(() => tagOf(limited), 'answered');
  await connected(url, (client) =>
    client.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'triage-api' AND datname = current_database()",
    ),
  );
  await until(() => tagOf(limited), 'answered');
});

test('a row that the record codecs refuse is not sent: 500, and the log names it', async (t) => {
  const url = await filled(t, acme);
  const storage = storageAt(t, url);
  await connected(url, (client) =>
    client
      .query('ALTER TABLE triage.fix_drafts DROP CONSTRAINT fix_drafts_severity_check')
      .then(() => client.query("UPDATE triage.fix_drafts SET severity = 'moderate' WHERE id = 'd2'")),
  );
  const { ask, logged } = await serve(t, [], { storage });
  t.is((await ask('/api/v1/findings/d1', cookie('acme-cookie'))).status, 200);
  t.is((await ask('/api/v1/findings/d2', cookie('acme-cookie'))).status, 500);
  t.deepEqual(logged[0]?.facts.problems, [
    '/0/severity: expected one of critical, high, medium, low, got "moderate"',
  ]);
});

test('with no connection at all, requests and /readyz say at once that the storage is busy', async (t) => {
  const url = await filled(t, acme);
  const { serve: role } = await setUp(t, url);
  const limited = await memberOf(t, url, role, 'CONNECTION LIMIT 1');
  const { ask, logged } = await serve(t, [], { storage: storageAt(t, limited, { timeLimit: 1e9 }) });
  await connected(limited, async () => {
    const page = (_: unknown, i: number) => ask(`${path}?page=${i + 1}`, cookie('acme-cookie'));
    const requests = Array.from({ length: 12 }, page);
    for (const { status, headers } of await Promise.all(requests))
      t.deepEqual([status, headers.get('retry-after')], [503, '1']);
    t.like(await ask('/readyz'), { status: 503, body: { reason: 'the storage is busy' } });
  });
  t.like(logged[0], { event: 'storage.failed', facts: { error: 'StorageBusy' } });
  await until(async () => String((await ask(path, cookie('acme-cookie'))).status), '200');
});

test('a connection is replaced when it is too old, but not under a statement', async (t) => {
  const { query } = opened(t, await database(t), { maxAge: 0.05 });
  const statement = { text: 'SELECT pg_backend_pid() AS pid FROM pg_sleep(0.2)', values: [] };
  const [first, second] = [await query(statement), await query(statement)];
  t.true(E.isRight(first) && E.isRight(second));
  t.notDeepEqual(first, second);
});

test('closing does not wait for a lost server', async (t) => {
  const proxy = await proxyTo(t, await filled(t, acme));
  const database = openDatabase({ url: proxy.url, poolSize: 3, timeLimit: 5000, elapsed }, () => {});
  const ask = () => database.query({ text: 'SELECT pg_sleep(0.05)', values: [] });
  t.true((await Promise.all([ask(), ask(), ask()])).every(E.isRight));
  proxy.silent();
  await database.close();
  t.true(E.isLeft(await ask()));
});

test('a read that PostgreSQL ends because of a deadlock is answered all the same', async (t) => {
  const url = await filled(t, acme);
  // The read looks for deadlocks first, so that it is the one that is ended.
  const storage = storageAt(t, `${url}?options=${encodeURIComponent('-c deadlock_timeout=3s')}`);
  const prs = () => storage.prs(byToken('acme-token'), firstPage);
  const expected = await prs();
  t.true(E.isRight(expected));
  await connected(url, async (client) => {
    await client.query(
      'SET deadlock_timeout = 60000; BEGIN; LOCK triage.fix_drafts IN ACCESS EXCLUSIVE MODE',
    );
    const read = prs();
    const waiting = `SELECT FROM pg_stat_activity WHERE wait_event = 'relation' AND datname = current_database()`;
    await connected(url, async (watcher) => {
      while ((await watcher.query(waiting)).rowCount === 0);
    });
    await client.query('LOCK triage.pull_requests IN ACCESS EXCLUSIVE MODE; COMMIT');
    t.deepEqual(await read, expected);
    const { rows } = await client.query(
      'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()',
    );
    t.is(rows[0].deadlocks, 1);
  });
});
