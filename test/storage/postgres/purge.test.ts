import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type pg from 'pg';
import { hashSecret } from '../../../src/accounts/secrets.js';
import { startHousekeeping } from '../../../src/cli/serve/housekeeping.js';
import { timestampAt } from '../../../src/codecs/timestamp.js';
import { resultOf } from '../../../src/storage/conformance/assertions.js';
import { type PurgeOptions, purge } from '../../../src/storage/postgres/tenants.js';
import { aUser, dataset } from '../../_data.js';
import { aTenantOf, connected, fill, opened, withPostgres } from './_postgres.js';
import { roleOfTheDocuments } from './_role.js';

const { database } = withPostgres(test);

const later = timestampAt(Date.parse('2999-01-01T00:00:00.000Z'));
const options: PurgeOptions = { at: later, batchSize: 10, onProgress: () => {}, shouldStop: () => false };

/** Adds sessions to a user, which expire at this moment, an SQL expression. */
const addSessions = async (client: pg.Client, user: string, expiry: string, ids: readonly string[]) => {
  const insert = `INSERT INTO triage.sessions SELECT $1, $2::text, $3, '2000-01-01', ${expiry}`;
  for (const id of ids) await client.query(insert, [user, id, hashSecret(id)]);
};

const names = (prefix: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => `${prefix}${i}`);

const sessionsIn = async (client: pg.Client): Promise<readonly string[]> =>
  (await client.query('SELECT id FROM triage.sessions ORDER BY id')).rows.map(({ id }) => String(id));

test('expired sessions of all tenants are deleted in batches, valid ones never', async (t) => {
  const url = await database(t);
  const pool = opened(t, url);
  await connected(url, async (client) => {
    await fill(client, [dataset({ user: aUser('a') }), dataset({ user: aUser('b') })]);
    await addSessions(client, 'a', "now() - interval '1 second'", names('old', 25));
    await addSessions(client, 'b', "now() - interval '1 second'", names('gone', 10));
    await addSessions(client, 'b', "now() + interval '1 hour'", ['valid']);
    const progress: number[] = [];
    const purged = await resultOf(
      purge(pool, { ...options, onProgress: ({ sessions }) => progress.push(sessions) }),
    );
    t.deepEqual(purged, { sessions: 35, tenants: 0, rows: 0 });
    t.deepEqual(progress, [10, 20, 30, 35]);
    t.deepEqual(await sessionsIn(client), ['valid']);
  });
});

test('a server whose clock is frozen in the past deletes no session that its clock finds valid', async (t) => {
  const url = await database(t);
  await connected(url, async (client) => {
    await fill(client, [dataset({ user: aUser('a') })]);
    await addSessions(client, 'a', "'2020-01-01'", ['before']);
    await addSessions(client, 'a', "'2020-01-03'", ['after']);
    const at = timestampAt(Date.parse('2020-01-02T00:00:00.000Z'));
    t.is((await resultOf(purge(opened(t, url), { ...options, at }))).sessions, 1);
    t.deepEqual(await sessionsIn(client), ['after']);
  });
});

test('sessions that another process is working on are skipped instead of waited for', async (t) => {
  const url = await database(t);
  await connected(url, async (client) => {
    await fill(client, [dataset({ user: aUser('a') })]);
    await addSessions(client, 'a', "'2020-01-01'", ['locked', 'other']);
    await client.query("BEGIN; SELECT FROM triage.sessions WHERE id = 'locked' FOR UPDATE");
    t.is((await resultOf(purge(opened(t, url), options))).sessions, 1);
    await client.query('COMMIT');
    t.deepEqual(await sessionsIn(client), ['locked']);
  });
});

test('processes that purge at the same time share the work', async (t) => {
  const url = await database(t);
  await connected(url, async (client) => {
    await fill(client, [dataset({ user: aUser('a') })]);
    await addSessions(client, 'a', "'2020-01-01'", names('s', 60));
    await aTenantOf(client, 'gone', 300);
    await aTenantOf(client, 'kept', 10);
    await client.query("SELECT triage.delete_account('gone')");
    const sums = await Promise.all(
      [1, 2, 3].map(() => resultOf(purge(opened(t, url), { ...options, batchSize: 50 }))),
    );
    const total = (key: 'sessions' | 'tenants' | 'rows') => sums.reduce((sum, each) => sum + each[key], 0);
    t.deepEqual([total('sessions'), total('tenants'), total('rows')], [60, 1, 930]);
    const { rows } = await client.query('SELECT id FROM triage.users ORDER BY id');
    t.deepEqual(rows, [{ id: 'a' }, { id: 'kept' }]);
  });
});

test('housekeeping purges as the documented role, and logs what it has deleted', async (t) => {
  const url = await database(t);
  const logged: unknown[] = [];
  await connected(url, async (client) => {
    await aTenantOf(client, 'gone', 700);
    await client.query("SELECT triage.delete_account('gone')");
    await fill(client, [dataset({ user: aUser('a') })]);
    await addSessions(client, 'a', "'2020-01-01'", ['old']);
    const documented = opened(t, await roleOfTheDocuments(t, url));
    const { run, stop } = startHousekeeping({
      purge: (options) => purge(documented, options),
      clock: () => Date.parse(later),
      log: (...entry) => logged.push(entry),
    });
    t.teardown(stop);
    await Promise.all([run(), run()]);
    await run();
    t.deepEqual(logged, [['info', 'purged the database', { sessions: 1, tenants: 1, rows: 1730 }]]);
    t.deepEqual(await sessionsIn(client), []);
    t.deepEqual((await client.query('SELECT id FROM triage.users')).rows, [{ id: 'a' }]);
  });
});

test('housekeeping runs by itself, and survives a database that fails', async (t) => {
  const logged: string[] = [];
  const outcomes = [
    E.left({ _tag: 'StorageUnavailable', cause: new Error('down') } as const),
    E.left({ _tag: 'StorageFailed', cause: new Error('forbidden') } as const),
    E.right({ sessions: 2, tenants: 0, rows: 0 }),
  ];
  await new Promise<void>((resolve) => {
    const { stop } = startHousekeeping({
      purge:
        ({ onProgress }) =>
        async () => {
          const next = outcomes.shift();
          if (next === undefined) throw new Error('a run too many');
          if (E.isRight(next)) onProgress(next.right);
          return next;
        },
      clock: () => 0,
      log: (level, event) => {
        logged.push(`${level}: ${event}`);
        if (outcomes.length > 0) return;
        stop();
        resolve();
      },
      interval: 1,
    });
    // The timer of housekeeping does not keep a process alive.
    const alive = setInterval(() => {}, 1000);
    t.teardown(() => clearInterval(alive));
  });
  t.deepEqual(logged, [
    'debug: the database was not purged',
    'warn: the database was not purged',
    'info: purged the database',
  ]);
});
