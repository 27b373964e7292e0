import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { newAccount } from '../../src/storage-kit/conformance/sample-tenants.js';
import { serve } from '../_server.js';
import { bySession } from '../_storage.js';
import { giveTo, nobody, type Server, startOn } from '../postgres/_embedded.js';
import { connected, prepare, storageAt } from '../postgres/_postgres.js';
import { proxyTo } from '../postgres/_proxy.js';
import { installed, startInstalled } from './_installed-postgres.js';

const database = 'failover';

type Standby = Readonly<{ url: string; promote: () => Promise<void> }>;

/** A standby of a server, which streams what that one writes: a commit waits until it has it on its disk. */
const standbyOf = async (t: ExecutionContext, primary: Server): Promise<Standby> => {
  const directory = await mkdtemp('/tmp/triage-api-standby-');
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const data = join(directory, 'data');
  const runAs = process.getuid?.() === 0 ? await nobody() : {};
  await chmod(directory, 0o755);
  await giveTo(runAs, directory);
  const words = ['-D', data, '-R', '-c', 'fast', '-d', `${primary.url('postgres')}?application_name=standby`];
  const copied = spawnSync(installed('pg_basebackup'), words, { cwd: directory, encoding: 'utf8', ...runAs });
  t.is(copied.status, 0, copied.stderr);
  const { port, stop } = await startOn(installed('pg_ctl'), data, join(directory, 'log'), runAs);
  t.teardown(stop);
  await connected(primary.url(database), async (client) => {
    await client.query("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
    await client.query(`ALTER DATABASE ${database} SET synchronous_commit = on`);
    await client.query('SELECT pg_reload_conf()');
    while (true) {
      const { rows } = await client.query("SELECT FROM pg_stat_replication WHERE sync_state = 'sync'");
      if (rows.length > 0) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
  const url = Object.assign(new URL(primary.url(database)), { port: String(port) }).href;
  return {
    url,
    promote: () =>
      connected(url, async (client) => {
        await client.query('SELECT pg_promote(true, 600)');
      }),
  };
};

test('a server follows the address of a database that was demoted, and loses nothing that was acknowledged', async (t) => {
  const primary = await startInstalled(t);
  await prepare(primary, database);
  const standby = await standbyOf(t, primary);
  const address = await proxyTo(t, primary.url(database));
  const storage = storageAt(t, address.url, { timeLimit: 5000 });
  const { ask, logged } = await serve(t, [], { storage });

  const acknowledged: string[] = [];
  const failures = new Set<string>();
  let isOver = false;
  let signUps = 0;
  const signUp = async (): Promise<boolean> => {
    signUps += 1;
    const account = await newAccount(`u${signUps}`);
    const done = await storage.signUp(account, null);
    if (E.isRight(done)) acknowledged.push(account.user.id);
    else failures.add(done.left._tag);
    return E.isRight(done);
  };
  const signingUp = Array.from({ length: 3 }, async () => {
    while (!isOver) if (!(await signUp())) await new Promise((resolve) => setTimeout(resolve, 20));
  });
  const until = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
    while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  await until(() => acknowledged.length > 20);

  // Connections to the primary stay open, as behind an address that switches.
  await connected(primary.url(database), async (client) => {
    await client.query('ALTER SYSTEM SET default_transaction_read_only = on');
    await client.query('SELECT pg_reload_conf()');
  });
  await until(() => failures.has('StorageReadOnly'));
  await until(async () => {
    const { status, body } = await ask('/readyz');
    return status === 200 && /read-only/.test(String(Object(body).notice));
  });
  t.deepEqual(await storage.repos(bySession('unknown')), E.left({ _tag: 'Unauthorized' }), 'reads work');
  const form = async (email: string): Promise<number> => {
    const body = new URLSearchParams({ email, name: 'n', password: 'a-long-enough-one' });
    return (await ask('/signup', { method: 'POST', body, redirect: 'manual' })).status;
  };
  t.deepEqual([await form('a@test.test'), await form('b@test.test')], [503, 503]);
  await standby.promote();
  const before = acknowledged.length;
  const switched = performance.now();
  await address.up(standby.url);
  await until(() => acknowledged.length > before);
  t.log(`sign-ups worked again ${Math.round(performance.now() - switched)} ms after the switch`);
  await until(() => acknowledged.length > before + 20);
  isOver = true;
  await Promise.all(signingUp);

  t.deepEqual([...failures], ['StorageReadOnly']);
  const stored = await connected(standby.url, async (client) => {
    const { rows } = await client.query('SELECT id FROM triage.users');
    return new Set(rows.map(({ id }) => String(id)));
  });
  t.deepEqual(
    acknowledged.filter((id) => !stored.has(id)),
    [],
  );
  await until(async () => !('notice' in Object((await ask('/readyz')).body)));
  t.is(await form('c@test.test'), 303);
  t.deepEqual(
    [...new Set(logged.filter(({ level }) => level !== 'debug').map(({ event }) => event))],
    [
      'ready, but the storage is read-only: reads work, and logins, sign-ups and changes fail',
      'storage.failed',
      'storage.recovered',
      'signup.succeeded',
    ],
  );
});
