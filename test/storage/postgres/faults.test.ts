import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { acme } from '../../../src/storage/conformance/sample-tenants.js';
import type { Storage } from '../../../src/storage/port.js';
import { openDatabase } from '../../../src/storage/postgres/database.js';
import { cookie, serve } from '../../_server.js';
import { bySession } from '../../_storage.js';
import { connected, storageAt, withPostgres } from './_postgres.js';
import { proxyTo } from './_proxy.js';

const { filled } = withPostgres(test);

const credentials = bySession('acme-cookie');
const path = '/api/v1/findings';

const tagOf = async (storage: Storage): Promise<string> => {
  const answer = await storage.repos(credentials)();
  return E.isLeft(answer) ? answer.left._tag : 'answered';
};

/** A read that no other is equal to, so that none shares its answer. */
const another = (storage: Storage, offset: number) =>
  storage.prs(credentials, { repoId: undefined, status: undefined, offset, limit: 1 })();

/** Polls until the expected result; the test runner's time limit applies. */
const until = async (look: () => Promise<string>, expected: string): Promise<void> => {
  while ((await look()) !== expected) await new Promise((resolve) => setTimeout(resolve, 50));
};

test('requests get 503 while the database is unreachable, and recover without a restart', async (t) => {
  const proxy = await proxyTo(t, await filled(t, acme));
  const { ask, logged } = await serve(t, [], { storage: storageAt(t, proxy.url, { timeLimit: 1000 }) });
  const statuses = new Map<number, number>();
  let isOver = false;
  const load = Array.from({ length: 8 }, async () => {
    while (!isOver) {
      const { status, headers } = await ask(path, cookie('acme-cookie'));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 503) t.is(headers.get('retry-after'), '1');
    }
  });
  const status = async () => String((await ask(path, cookie('acme-cookie'))).status);
  for (let i = 0; i < 2; i += 1) {
    await until(status, '200');
    await proxy.down();
    await until(status, '503');
    t.is((await ask('/readyz')).status, 503);
    t.is((await ask('/healthz')).status, 200);
    await proxy.up();
  }
  await until(status, '200');
  isOver = true;
  await Promise.all(load);
  t.deepEqual([...statuses.keys()].sort(), [200, 503]);
  const events = logged.map(({ event }) => event);
  t.deepEqual(events.slice(0, 2), ['storage.outage.began', 'storage.outage.ended']);
  t.true(events.length <= 2 * 2 + 1, 'no line for each of the requests that failed');
});

test('no request hangs on a silent network, and lost connections are not used again', async (t) => {
  const proxy = await proxyTo(t, await filled(t, acme));
  const storage = storageAt(t, proxy.url, { timeLimit: 800, poolSize: 2 });
  await until(() => tagOf(storage), 'answered');
  proxy.silent();
  t.deepEqual(
    new Set(await Promise.all(Array.from({ length: 5 }, () => tagOf(storage)))),
    new Set(['StorageUnavailable']),
  );
  await proxy.up();
  await until(() => tagOf(storage), 'answered');
});

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

test('the server cancels a slow statement, and its connection is used again', async (t) => {
  const url = await filled(t, acme);
  const limited = storageAt(t, url, { timeLimit: 400, poolSize: 1 });
  await locked(url, async () => {
    t.is(await tagOf(limited), 'StorageUnavailable');
    await until(running(url), '0');
  });
  await until(() => tagOf(limited), 'answered');
});

test('requests wait for a busy connection up to a limit; further requests are refused at once', async (t) => {
  const url = await filled(t, acme);
  const storage = storageAt(t, url, { timeLimit: 2000, poolSize: 1 });
  await until(() => tagOf(storage), 'answered');
  await locked(url, async () => {
    const waiting = Array.from({ length: 130 }, (_, i) => another(storage, i));
    const firstToEnd = await Promise.race(waiting.map(async (each, i) => ({ i, result: await each })));
    t.true(firstToEnd.i >= 100, 'it was not the first that was refused');
    t.true(E.isLeft(firstToEnd.result));
    await until(running(url), '1');
    const refused = (await Promise.all(waiting)).filter(E.isLeft).map(({ left }) => left._tag);
    t.deepEqual([...new Set(refused)], ['StorageUnavailable']);
  });
  await until(() => tagOf(storage), 'answered');
});

test('a request after a restart of the database succeeds', async (t) => {
  const url = await filled(t, acme);
  const storage = storageAt(t, url);
  await until(() => tagOf(storage), 'answered');
  await connected(url, (client) =>
    client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'triage-api'`,
    ),
  );
  await until(() => tagOf(storage), 'answered');
  t.pass();
});

test('a missing permission or a missing function is StorageFailed, not StorageUnavailable', async (t) => {
  const url = await filled(t, acme);
  const storage = storageAt(t, url);
  await connected(url, (client) => client.query('DROP FUNCTION triage.caller_of'));
  const { ask, logged } = await serve(t, [], { storage });
  const { status, body } = await ask('/api/v1/repos', cookie('acme-cookie'));
  t.deepEqual([status, body], [500, { error: 'Internal server error' }]);
  t.deepEqual(
    logged.map(({ level, event }) => [level, event]),
    [['error', 'storage.outage.began']],
  );
  t.regex(String(logged[0]?.facts.cause), /caller_of/);
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

test('without the database, pages that need it get 503 in HTML and JSON, and other pages are served', async (t) => {
  const proxy = await proxyTo(t, await filled(t, acme));
  const { ask } = await serve(t, [], { storage: storageAt(t, proxy.url, { timeLimit: 500 }) });
  await proxy.down();
  const signedIn = { Cookie: 'session=acme-cookie' };
  const page = await ask('/settings/api-tokens', {
    headers: { ...signedIn, Accept: 'text/html' },
    redirect: 'manual',
  });
  t.deepEqual([page.status, page.headers.get('retry-after')], [503, '1']);
  t.regex(page.text, /Service unavailable/);
  const json = await ask('/settings/api-tokens', { headers: { ...signedIn, Accept: 'application/json' } });
  t.deepEqual([json.status, json.body], [503, { error: 'Service unavailable' }]);
  for (const [where, form] of [
    ['/login', 'email=acme@test.test&password=secret'],
    ['/signup', 'email=new@test.test&name=n&password=a-long-enough-one'],
  ] as const) {
    const posted = await ask(where, {
      method: 'POST',
      body: form,
      headers: { ...signedIn, 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    t.is(posted.status, 503, where);
  }
  t.is((await ask('/', { headers: signedIn })).status, 200);
  t.is((await ask('/login', { headers: signedIn })).status, 200);
});

test('a burst of requests is served with few connections if it finishes in time', async (t) => {
  const storage = storageAt(t, await filled(t, acme), { poolSize: 2, timeLimit: 20_000 });
  const answers = await Promise.all(Array.from({ length: 150 }, (_, i) => another(storage, i)));
  t.true(answers.every(E.isRight));
});

test('closing does not wait for a lost server', async (t) => {
  const proxy = await proxyTo(t, await filled(t, acme));
  const database = openDatabase({ url: proxy.url, poolSize: 3, timeLimit: 5000 }, () => {});
  const ask = () => database.query({ text: 'SELECT pg_sleep(0.05)', values: [] })();
  t.true((await Promise.all([ask(), ask(), ask()])).every(E.isRight));
  proxy.silent();
  await database.close();
  t.true(E.isLeft(await ask()));
});

test('a storage whose schema is gone is not ready', async (t) => {
  const url = await filled(t, acme);
  const { ask } = await serve(t, [], { storage: storageAt(t, url) });
  t.is((await ask('/readyz')).status, 200);
  await connected(url, (client) => client.query('DROP SCHEMA triage CASCADE'));
  // An answer holds for a moment.
  await until(async () => String((await ask('/readyz')).status), '503');
  t.deepEqual((await ask('/readyz')).body, {
    error: 'Service unavailable',
    reason: 'the schema is older than this version',
  });
});
