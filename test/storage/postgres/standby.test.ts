import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { acme } from '../../../src/storage/conformance/sample-tenants.js';
import { postgresStorage } from '../../../src/storage/postgres/postgres-storage.js';
import { replicaWithFallback } from '../../../src/storage/postgres/replica.js';
import { bySession } from '../../_storage.js';
import { startEmbedded } from './_embedded.js';
import { fill } from './_fill.js';
import { opened } from './_opened.js';
import { connected, prepare, urlWith } from './_postgres.js';
import { roleOfTheDocuments } from './_role.js';
import { startStandby } from './_standby.js';

/** Polls until a query on a connection of its own returns true; the test runner's time limit applies. */
const untilTrue = (url: string, query: string): Promise<void> =>
  connected(url, async (client) => {
    for (;;) {
      const { rows } = await client.query({ text: query, rowMode: 'array' });
      if (rows[0]?.[0] === true) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });

test('a real standby is left out while it is too far behind, as an ordinary role can tell', async (t) => {
  const server = await startEmbedded();
  t.teardown(server.stop);
  await prepare(server, 'triage');
  const url = server.url('triage');
  await connected(url, (client) => fill(client, [acme]));
  const standby = await startStandby(server);
  t.teardown(standby.stop);
  const standbyUrl = standby.url('triage');
  const asRole = await roleOfTheDocuments(t, url);
  const onPrimary = (sql: string) => connected(url, (client) => client.query(sql));
  const onStandby = (sql: string) => connected(standbyUrl, (client) => client.query(sql));
  const caughtUp = async (): Promise<void> => {
    const { rows } = await onPrimary('SELECT pg_current_wal_lsn() AS position');
    await untilTrue(standbyUrl, `SELECT pg_last_wal_replay_lsn() >= '${rows[0].position}'`);
  };
  await caughtUp();

  const { username, password, pathname } = new URL(asRole);
  const primary = opened(t, asRole);
  const replica = opened(
    t,
    Object.assign(new URL(urlWith(standbyUrl, { username, password })), { pathname }).href,
  );
  let at = 0;
  const logged: unknown[] = [];
  const watched = replicaWithFallback(
    { primary, replica, probes: { primary, replica }, maxLag: 1000, timeLimit: 60_000 },
    { elapsed: () => at, log: (...entry) => logged.push(entry) },
  );
  const storage = postgresStorage({ primary, replica: watched }, () => {});
  const owner = async (): Promise<string | undefined> => {
    const answer = await storage.repos(bySession('acme-cookie'))();
    return E.isRight(answer) ? answer.right[0]?.repo.owner : answer.left._tag;
  };
  // Committed at once, unlike the other changes on these servers.
  const write = (name: string) =>
    onPrimary(`SET synchronous_commit = on; UPDATE triage.repos SET owner = '${name}'`);

  await write('first');
  await caughtUp();
  await watched.check();
  t.is(await owner(), 'first');

  await onStandby('SELECT pg_wal_replay_pause()');
  await untilTrue(standbyUrl, "SELECT pg_get_wal_replay_pause_state() = 'paused'");
  await write('second');
  at = 10_000;
  await watched.check();
  t.is(await owner(), 'first', 'it lacks what was written a moment ago, which it may');
  at = 11_000;
  await watched.check();
  t.is(await owner(), 'second', 'the primary answers');

  await onStandby('SELECT pg_wal_replay_resume()');
  await caughtUp();
  await watched.check();
  await onStandby('SELECT pg_wal_replay_pause()');
  await untilTrue(standbyUrl, "SELECT pg_get_wal_replay_pause_state() = 'paused'");
  await write('third');
  t.is(await owner(), 'second', 'the standby is read again');
  await onStandby('SELECT pg_wal_replay_resume()');
  await caughtUp();

  at = 3_600_000;
  await watched.check();
  t.true(watched.isRead(), 'the primary was idle for an hour');

  await onStandby("ALTER SYSTEM SET primary_conninfo = ''");
  await onStandby('SELECT pg_reload_conf()');
  await untilTrue(standbyUrl, 'SELECT NOT EXISTS (SELECT FROM pg_stat_wal_receiver)');
  await write('fourth');
  at += 1000;
  await watched.check();
  t.is(await owner(), 'third');
  at += 1000;
  await watched.check();
  t.is(await owner(), 'fourth', 'the standby no longer receives anything');

  const leftOut = [
    'warn',
    'the replica is left out; the primary answers instead',
    { reason: 'it is more than 1000 ms behind the primary' },
  ];
  t.deepEqual(logged, [leftOut, ['info', 'the replica is read again'], leftOut]);
});
