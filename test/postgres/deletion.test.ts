import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type pg from 'pg';
import { hashSecret } from '../../src/api/credentials.js';
import { startHousekeeping } from '../../src/cli/serve/database-backend.js';
import { timestampAt } from '../../src/contract/codecs/timestamp.js';
import { singleConnection } from '../../src/postgres/database.js';
import { postgresStorage } from '../../src/postgres/storage.js';
import { deleteTenant, findTenant, type PurgeOptions, purge } from '../../src/postgres/tenants.js';
import {
  callerOf,
  firstPage,
  resultOf,
  rowsFound,
} from '../../src/storage-kit/conformance/conformance-case.js';
import {
  acme,
  newAccount,
  newApiToken,
  newSession,
  other,
} from '../../src/storage-kit/conformance/sample-tenants.js';
import { aSession, aUser, dataset } from '../_data.js';
import { bySession } from '../_storage.js';
import { aTenantOf, connected, fill, opened, storageAt, withPostgres } from './_postgres.js';
import { memberOf, roleOfTheDocuments, setUp } from './_role.js';

const { database, filled } = withPostgres(test);

const untilDone = { onProgress: () => {}, shouldStop: () => false };

/** Deletes a tenant by its id or address. */
const remove = async (client: pg.Client, tenant: string, options = {}) => {
  const database = singleConnection(client);
  const found = await resultOf(findTenant(database, tenant));
  return resultOf(deleteTenant(database, found, { ...untilDone, ...options }));
};

/** The number of rows of a tenant in every table of the schema that has a tenant. */
const rowsOf = async (client: pg.Client, id: string): Promise<Readonly<Record<string, number>>> => {
  const { rows: tables } = await client.query(
    "SELECT table_name FROM information_schema.columns WHERE table_schema = 'triage' AND column_name = 'user_id'",
  );
  const counts: Record<string, number> = {};
  for (const condition of ['users WHERE id', ...tables.map((each) => `${each.table_name} WHERE user_id`)]) {
    const { rows } = await client.query(`SELECT count(*)::int AS count FROM triage.${condition} = $1`, [id]);
    counts[String(condition.split(' ')[0])] = rows[0].count;
  }
  return counts;
};

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);

test('deleting a tenant deletes every row of it in batches, and no row of others', async (t) => {
  const url = await database(t);
  await connected(url, async (client) => {
    await aTenantOf(client, 'gone', 1000);
    await aTenantOf(client, 'kept', 1000);
    const kept = await rowsOf(client, 'kept');
    t.true(sum(kept) > 2000);
    const progress: number[] = [];
    const deletion = await remove(client, 'GONE@test.test', {
      batchSize: 300,
      onProgress: (rows: number) => progress.push(rows),
    });
    t.like(deletion, { rows: 2330, isGone: true });
    t.deepEqual(progress, [300, 600, 900, 1200, 1500, 1800, 2100, 2330]);
    t.is(sum(await rowsOf(client, 'gone')), 0);
    t.deepEqual(await rowsOf(client, 'kept'), kept);
  });
  t.is((await rowsFound(storageAt(t, url).findings(bySession('kept'), firstPage))).total, 1000);
});

test('a deletion that was stopped has locked the tenant out, and continues where it stopped', async (t) => {
  const url = await database(t);
  const storage = storageAt(t, url);
  await connected(url, async (client) => {
    await aTenantOf(client, 'gone', 1000);
    await resultOf(storage.addApiToken(newApiToken('gone', 'token')));
    let batches = 0;
    const shouldStop = (): boolean => {
      batches += 1;
      return batches > 2;
    };
    const stopped = await remove(client, 'gone', { batchSize: 300, shouldStop });
    t.like(stopped, { rows: 600, isGone: false });
    t.is(await callerOf(storage, bySession('gone')), 'nobody');
    t.is(await resultOf(storage.userByEmail('gone@test.test')), null);
    const left = await rowsOf(client, 'gone');
    t.deepEqual([left.sessions, left.api_tokens, left.pull_requests, left.fix_drafts], [0, 0, 400, 1000]);

    // The address is free at once, and does not lead to the tenant that is being deleted.
    await resultOf(storage.signUp(await newAccount('next', 'gone@test.test'), null));
    t.is((await resultOf(findTenant(singleConnection(client), 'gone@test.test'))).id, 'next');

    t.like(await remove(client, 'gone'), { rows: 1730, isGone: true });
    t.is(sum(await rowsOf(client, 'gone')), 0);
    t.is(await callerOf(storage, bySession('next')), 'next');
  });
});

test('a login that began before a tenant was deleted starts no session and mints no token', async (t) => {
  const url = await database(t);
  const storage = storageAt(t, url);
  await connected(url, async (client) => {
    await fill(client, [dataset({ user: aUser('u'), sessions: [aSession('s')] })]);
    await client.query('BEGIN');
    await client.query("SELECT triage.delete_account('u')");
    const login = storage.startSession(newSession('u', 'late'), null);
    const mint = storage.addApiToken(newApiToken('u', 'late'));
    await client.query('COMMIT');
    t.deepEqual(await login, E.right(undefined));
    t.deepEqual(await mint, E.left({ _tag: 'Unauthorized' }));
    t.is(await callerOf(storage, bySession('late')), 'nobody');
  });
});

test('a tenant is found by id or by address; a text that is neither, or both, is an error', async (t) => {
  const url = await database(t);
  await connected(url, async (client) => {
    await fill(client, [
      dataset({ user: aUser('ann') }),
      dataset({ user: { ...aUser('bob'), email: 'Émile@test.test' } }),
      dataset({ user: { ...aUser('x@test.test'), email: 'y@test.test' } }),
      dataset({ user: { ...aUser('z'), email: 'x@test.test' } }),
    ]);
    const find = async (text: string) => {
      const found = await findTenant(singleConnection(client), text);
      return E.isRight(found) ? found.right.id : found.left;
    };
    t.is(await find('ann'), 'ann');
    t.is(await find('ANN@test.test'), 'ann');
    t.is(await find('e\u0301mile@TEST.test'), 'bob');
    t.deepEqual(await find('anm@test.test'), { _tag: 'UnknownTenant', nearest: 'ann@test.test' });
    t.deepEqual(await find('nothing like it'), { _tag: 'UnknownTenant', nearest: null });
    t.deepEqual(await find('\u0000'), { _tag: 'UnknownTenant', nearest: 'z' });
    t.deepEqual(await find('x@test.test'), { _tag: 'AmbiguousTenant', ids: ['x@test.test', 'z'] });
  });
});

test('an account is deleted even when its rows cannot be: they are left to housekeeping', async (t) => {
  const url = await filled(t, acme);
  await connected(url, (client) => client.query('DROP FUNCTION triage.delete_rows_of_deleted'));
  const storage = storageAt(t, url);
  t.true(await resultOf(storage.deleteAccount({ userId: 'acme' })));
  t.is(await callerOf(storage, bySession('acme-cookie')), 'nobody');
});

test('a serving role deletes no rows of an account that is not deleted, and starts no session of another', async (t) => {
  const url = await filled(t, acme, other);
  const asServer = await memberOf(t, url, (await setUp(t, url)).serve);
  await connected(url, async (client) => {
    const before = await rowsOf(client, 'acme');
    await connected(asServer, async (server) => {
      await server.query("SELECT triage.delete_rows_of_deleted('acme', 1000)");
      const { rows } = await server.query("SELECT triage.user_by_email('acme@test.test') AS user");
      await t.throwsAsync(
        server.query("SELECT triage.change_password('acme', $1, 'x', $2)", [
          rows[0].user.passwordHash,
          JSON.stringify(newSession('other', 'stolen')),
        ]),
        { code: '23514' },
      );
    });
    t.deepEqual(await rowsOf(client, 'acme'), before);
  });
});

const later = timestampAt(Date.parse('2999-01-01T00:00:00.000Z'));
const options: PurgeOptions = { ...untilDone, at: later, batchSize: 10 };

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
    // The clock of a server may be frozen in the past: what is valid to it stays.
    await addSessions(client, 'a', "'2020-01-01'", ['before']);
    await addSessions(client, 'a', "'2020-01-03'", ['after']);
    const at = timestampAt(Date.parse('2020-01-02T00:00:00.000Z'));
    t.is((await resultOf(purge(pool, { ...options, at }))).sessions, 1);
    t.deepEqual(await sessionsIn(client), ['after', 'valid']);
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

test('an account with many rows is locked out at once, and housekeeping deletes the rows, and logs how many', async (t) => {
  const url = await database(t);
  const logged: unknown[] = [];
  await connected(url, async (client) => {
    await aTenantOf(client, 'gone', 2500);
    await aTenantOf(client, 'kept', 20);
    const kept = await rowsOf(client, 'kept');
    await addSessions(client, 'kept', "'2020-01-01'", ['old']);
    const documented = opened(t, await roleOfTheDocuments(t, url));
    const storage = postgresStorage({ database: documented }, () => {});
    t.true(await resultOf(storage.deleteAccount({ userId: 'gone' })));
    t.is(await callerOf(storage, bySession('gone')), 'nobody');
    t.is(await resultOf(storage.userByEmail('gone@test.test')), null);
    const rows = sum(await rowsOf(client, 'gone'));
    t.true(rows > 1, 'one request does not delete them all');
    const { run, stop } = startHousekeeping({
      purge: (options) => purge(documented, options),
      clock: () => Date.parse(later),
      log: (...entry) => logged.push(entry),
    });
    t.teardown(stop);
    await Promise.all([run(), run()]);
    await run();
    t.deepEqual(logged, [['info', 'purged the database', { sessions: 1, tenants: 1, rows: rows - 1 }]]);
    t.is(sum(await rowsOf(client, 'gone')), 0);
    t.deepEqual(await rowsOf(client, 'kept'), kept);
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
      purge: async ({ onProgress }) => {
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
