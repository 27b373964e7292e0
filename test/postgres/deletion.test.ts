import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type pg from 'pg';
import { hashSecret } from '../../src/api/credentials.js';
import { startHousekeeping } from '../../src/cli/serve/database-backend.js';
import { timestampAt } from '../../src/contract/codecs/timestamp.js';
import { singleConnection } from '../../src/postgres/database.js';
import { postgresStorage } from '../../src/postgres/storage.js';
import { deleteTenant, findTenant, type PurgeOptions, purge } from '../../src/postgres/tenants.js';
import { callerOf, resultOf } from '../../src/storage-kit/conformance/conformance-case.js';
import {
  acme,
  newAccount,
  newApiToken,
  newSession,
  other,
} from '../../src/storage-kit/conformance/sample-tenants.js';
import { aUser, dataset } from '../_data.js';
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

test('a deletion in batches that was stopped has locked the tenant out, continues, and leaves others alone', async (t) => {
  const url = await database(t);
  const storage = storageAt(t, url);
  await connected(url, async (client) => {
    await aTenantOf(client, 'gone', 1000);
    await aTenantOf(client, 'kept', 1000);
    const kept = await rowsOf(client, 'kept');
    t.true(sum(kept) > 2000);
    await resultOf(storage.addApiToken(newApiToken('gone', 'token')));
    const progress: number[] = [];
    const options = { batchSize: 300, onProgress: (rows: number) => progress.push(rows) };
    const stopped = await remove(client, 'GONE@test.test', {
      ...options,
      shouldStop: () => progress.length === 2,
    });
    t.like(stopped, { rows: 600, isGone: false });
    t.is(await callerOf(storage, bySession('gone')), 'nobody');
    t.is(await resultOf(storage.userByEmail('gone@test.test')), null);
    t.like(await rowsOf(client, 'gone'), {
      sessions: 0,
      api_tokens: 0,
      pull_requests: 400,
      fix_drafts: 1000,
    });

    // The address is free at once, and does not lead to the tenant that is being deleted.
    await resultOf(storage.signUp(await newAccount('next', 'gone@test.test'), null));
    t.is((await resultOf(findTenant(singleConnection(client), 'gone@test.test'))).id, 'next');

    t.like(await remove(client, 'gone', options), { rows: 1730, isGone: true });
    t.deepEqual(progress, [300, 600, 300, 600, 900, 1200, 1500, 1730]);
    t.is(sum(await rowsOf(client, 'gone')), 0);
    t.deepEqual(await rowsOf(client, 'kept'), kept);
    t.is(await callerOf(storage, bySession('next')), 'next');
  });
});

test('a login that began before a tenant was deleted starts no session and mints no token', async (t) => {
  const url = await filled(t, acme);
  const storage = storageAt(t, url);
  await connected(url, async (client) => {
    await client.query("BEGIN; SELECT triage.delete_account('acme')");
    const login = storage.startSession(newSession('acme', 'late'), null);
    const mint = storage.addApiToken(newApiToken('acme', 'late'));
    await client.query('COMMIT');
    t.deepEqual(await login, E.right(undefined));
    t.deepEqual(await mint, E.left({ _tag: 'Unauthorized' }));
    t.is(await callerOf(storage, bySession('late')), 'nobody');
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
const addSessions = async (client: pg.Client, user: string, expiry: string, ...ids: readonly string[]) => {
  const insert = `INSERT INTO triage.sessions SELECT $1, $2::text, $3, '2000-01-01', ${expiry}`;
  for (const id of ids) await client.query(insert, [user, id, hashSecret(id)]);
};

test('expired sessions of all tenants are deleted in batches, and neither valid nor locked ones', async (t) => {
  const url = await database(t);
  await connected(url, async (client) => {
    await fill(client, [dataset({ user: aUser('a') }), dataset({ user: aUser('b') })]);
    const old = Array.from({ length: 25 }, (_, i) => `old${i}`);
    await addSessions(client, 'a', "now() - interval '1 second'", ...old);
    await addSessions(client, 'b', "now() - interval '1 second'", 'gone', 'locked');
    await addSessions(client, 'b', "now() + interval '1 hour'", 'valid');
    await client.query("BEGIN; SELECT FROM triage.sessions WHERE id = 'locked' FOR UPDATE");
    const progress: number[] = [];
    const onProgress: PurgeOptions['onProgress'] = ({ sessions }) => progress.push(sessions);
    const pool = opened(t, url);
    const purged = await resultOf(purge(pool, { ...options, onProgress }));
    await client.query('COMMIT');
    t.deepEqual(purged, { sessions: 26, tenants: 0, rows: 0 });
    t.deepEqual(progress, [10, 20, 26]);
    // The clock of a server may be frozen in the past: what is valid to it stays.
    await addSessions(client, 'a', "'2020-01-01'", 'before');
    await addSessions(client, 'a', "'2020-01-03'", 'after');
    const at = timestampAt(Date.parse('2020-01-02T00:00:00.000Z'));
    t.is((await resultOf(purge(pool, { ...options, at }))).sessions, 1);
    const { rows } = await client.query('SELECT id FROM triage.sessions ORDER BY id');
    t.deepEqual(
      rows.map(({ id }) => id),
      ['after', 'locked', 'valid'],
    );
  });
});

test('an account with many rows is locked out at once, and housekeeping deletes the rows, and logs how many', async (t) => {
  const url = await database(t);
  const logged: unknown[] = [];
  await connected(url, async (client) => {
    await aTenantOf(client, 'gone', 2500);
    await aTenantOf(client, 'kept', 20);
    const kept = await rowsOf(client, 'kept');
    await addSessions(client, 'kept', "'2020-01-01'", 'old');
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
  const { stop } = startHousekeeping({
    purge: async ({ onProgress }) => {
      const next = outcomes.shift();
      if (next === undefined) throw new Error('a run too many');
      if (E.isRight(next)) onProgress(next.right);
      if (outcomes.length === 0) stop();
      return next;
    },
    clock: () => 0,
    log: (level, event) => logged.push(`${level}: ${event}`),
    interval: 1,
  });
  while (logged.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
  const failed = 'the database was not purged';
  t.deepEqual(logged, [`debug: ${failed}`, `warn: ${failed}`, 'info: purged the database']);
});
