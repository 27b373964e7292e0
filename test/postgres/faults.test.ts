import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type { Storage } from '../../src/accounts/account-storage.js';
import { openDatabase } from '../../src/postgres/database.js';
import { functionsOfServers } from '../../src/postgres/readiness.js';
import { postgresStorage } from '../../src/postgres/storage.js';
import { firstPage } from '../../src/storage-kit/conformance/conformance-case.js';
import { acme } from '../_data.js';
import { cookie, serve } from '../_server.js';
import { bySession, byToken } from '../_storage.js';
import { connected, elapsed, opened, storageAt, withPostgres } from './_postgres.js';
import { proxyTo } from './_proxy.js';
import { memberOf, setUp } from './_role.js';

const { database, filled } = withPostgres(test);

/** Whether a storage is ready, or what is wrong, with the message of the cause. */
const readiness = async (storage: Storage): Promise<string> => {
  const ready = await storage.ready();
  if (E.isRight(ready)) return 'ready';
  return 'cause' in ready.left ? `${ready.left._tag}: ${ready.left.cause}` : ready.left._tag;
};

test('a right that a serving role lacks, and a function that is missing, make a storage unready', async (t) => {
  const url = await database(t);
  const { serve: role } = await setUp(t, url);
  const storage = storageAt(t, await memberOf(t, url, role));
  t.is(await readiness(storage), 'ready');
  await connected(url, async (client) => {
    const { rows: rights } = await client.query(
      `SELECT 'EXECUTE ON FUNCTION ' || oid::regprocedure AS name FROM pg_proc
       WHERE pronamespace = 'triage'::regnamespace AND has_function_privilege($1, oid, 'EXECUTE')
       UNION ALL SELECT 'SELECT ON ' || oid::regclass FROM pg_class
       WHERE relnamespace = 'triage'::regnamespace AND relkind = 'r' AND has_table_privilege($1, oid, 'SELECT')
       UNION ALL SELECT 'USAGE ON SCHEMA triage'`,
      [role],
    );
    t.true(rights.length >= functionsOfServers.single.length + 6, JSON.stringify(rights));
    for (const { name: right } of rights) {
      await client.query(`REVOKE ${right} FROM ${role}`);
      const [name = ''] = /\w+(?=\(|$)/.exec(right) ?? [];
      t.regex(await readiness(storage), new RegExp(`^StorageFailed: .*${name}`), right);
      await client.query(`GRANT ${right} TO ${role}`);
    }
    t.is(await readiness(storage), 'ready');
    await client.query('ALTER FUNCTION triage.caller_of RENAME TO of_another_version');
    t.regex(await readiness(storage), /^StorageFailed: .*triage\.caller_of$/);
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
    t.is(await readiness(storage), 'ready');
    await client.query('SELECT pg_advisory_unlock(1)');
    t.true(E.isRight(await waiting));
    t.deepEqual(await request, E.left({ _tag: 'Unauthorized' }));
  });
});

const path = '/api/v1/findings';
const mine = cookie('acme-cookie');

/** Polls until it is so; the test runner's time limit applies. */
const until = async (isSo: () => Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20));
};

const ofServers =
  "FROM pg_stat_activity WHERE application_name = 'triage-api' AND datname = current_database()";

test('the server cancels a slow statement, its connection is used again, and replaced when it has ended', async (t) => {
  const url = await filled(t, acme);
  const limited = storageAt(t, url, { timeLimit: 400, poolSize: 1 });
  const repos = () => limited.repos(bySession('acme-cookie'));
  await connected(url, async (client) => {
    await client.query('BEGIN; LOCK TABLE triage.repos IN ACCESS EXCLUSIVE MODE');
    t.like(await repos(), { left: { _tag: 'StorageUnavailable' } });
    const running = `SELECT ${ofServers.replace('WHERE', "WHERE state = 'active' AND")}`;
    await until(() => connected(url, async (other) => (await other.query(running)).rowCount === 0));
    await client.query('ROLLBACK');
    await until(async () => E.isRight(await repos()));
    await client.query(`SELECT pg_terminate_backend(pid) ${ofServers}`);
    await until(async () => E.isRight(await repos()));
  });
});

test('a row that the record codecs refuse is not sent: 500, and the log names it', async (t) => {
  const url = await filled(t, acme);
  await connected(url, (client) =>
    client.query(`ALTER TABLE triage.fix_drafts DROP CONSTRAINT fix_drafts_severity_check;
      UPDATE triage.fix_drafts SET severity = 'moderate' WHERE id = 'd2'`),
  );
  const { ask, logged } = await serve(t, [], { storage: storageAt(t, url) });
  t.is((await ask(`${path}/d1`, mine)).status, 200);
  t.is((await ask(`${path}/d2`, mine)).status, 500);
  const problem = '/0/severity: expected one of critical, high, medium, low, got "moderate"';
  t.deepEqual(logged[0]?.facts.problems, [problem]);
});

test('a connection is replaced when it is too old, but not under a statement', async (t) => {
  const { query } = opened(t, await database(t), { maxAge: 0.05 });
  const statement = { text: 'SELECT pg_backend_pid() AS pid FROM pg_sleep(0.2)', values: [] };
  const [first, second] = [await query(statement), await query(statement)];
  t.true(E.isRight(first) && E.isRight(second));
  t.notDeepEqual(first, second);
});

test('closing does not wait for a lost server', async (t) => {
  const proxy = await proxyTo(t, await database(t));
  const pool = openDatabase({ url: proxy.url, poolSize: 3, timeLimit: 5000, elapsed }, () => {});
  const ask = () => pool.query({ text: 'SELECT pg_sleep(0.05)', values: [] });
  t.true((await Promise.all([ask(), ask(), ask()])).every(E.isRight));
  proxy.silent();
  await pool.close();
  t.true(E.isLeft(await ask()));
});

test('a read that PostgreSQL ends because of a deadlock is answered all the same', async (t) => {
  const url = await filled(t, acme);
  // The read looks for deadlocks first, so that it is the one that is ended.
  const storage = storageAt(t, `${url}?options=${encodeURIComponent('-c deadlock_timeout=1s')}`);
  const prs = () => storage.prs(byToken('acme-token'), firstPage);
  const expected = await prs();
  t.true(E.isRight(expected));
  await connected(url, async (client) => {
    const lock = (table: string) => client.query(`LOCK triage.${table} IN ACCESS EXCLUSIVE MODE`);
    await client.query('SET deadlock_timeout = 60000; BEGIN');
    await lock('fix_drafts');
    const read = prs();
    const waiting = `SELECT ${ofServers} AND wait_event = 'relation'`;
    await until(() => connected(url, async (watcher) => (await watcher.query(waiting)).rowCount === 1));
    await lock('pull_requests');
    await client.query('COMMIT');
    t.deepEqual(await read, expected);
    const { rows } = await client.query(
      'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()',
    );
    t.is(rows[0].deadlocks, 1);
  });
});
