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
import { acme, newAccount, newApiToken, newSession, other } from '../_data.js';
import { bySession } from '../_storage.js';
import { aTenantOf, connected, opened, storageAt, withPostgres } from './_postgres.js';
import { roleOfTheDocuments } from './_role.js';

const { database, filled } = withPostgres(test);

const untilDone = { onProgress: () => {}, shouldStop: () => false };

/** Deletes a tenant by its id or address. */
const remove = async (client: pg.Client, tenant: string, options = {}) => {
  const database = singleConnection(client);
  const found = await resultOf(findTenant(database, tenant));
  return resultOf(deleteTenant(database, found, { ...untilDone, ...options }));
};

/** The number of rows of a tenant in every table of the schema that has a tenant, and in all of them. */
const rowsOf = async (client: pg.Client, id: string) => {
  const { rows: tables } = await client.query(
    "SELECT table_name FROM information_schema.columns WHERE table_schema = 'triage' AND column_name = 'user_id'",
  );
  const counts: Record<string, number> = { sum: 0 };
  for (const [table, key] of [['users', 'id'], ...tables.map((row) => [row.table_name, 'user_id'])]) {
    const text = `SELECT count(*)::int AS count FROM triage.${table} WHERE ${key} = $1`;
    const { count } = (await client.query(text, [id])).rows[0];
    counts[table] = count;
    counts.sum += count;
  }
  return counts;
};

test('a deletion in batches that was stopped has locked the tenant out, continues, and leaves others alone', async (t) => {
  const url = await database(t);
  const storage = storageAt(t, url);
  await connected(url, async (client) => {
    for (const id of ['gone', 'kept']) await aTenantOf(client, id, 1000);
    const kept = await rowsOf(client, 'kept');
    await resultOf(storage.addApiToken(newApiToken('gone', 'token')));
    const progress: number[] = [];
    const options = { batchSize: 300, onProgress: (rows: number) => progress.push(rows) };
    const shouldStop = () => progress.length === 2;
    t.like(await remove(client, 'GONE@test.test', { ...options, shouldStop }), { rows: 600, isGone: false });
    t.is(await callerOf(storage, bySession('gone')), 'nobody');
    t.is(await resultOf(storage.userByEmail('gone@test.test')), null);
    const left = { sessions: 0, api_tokens: 0, pull_requests: 400, fix_drafts: 1000 };
    t.like(await rowsOf(client, 'gone'), left);

    // The address is free at once, and does not lead to the tenant that is being deleted.
    await resultOf(storage.signUp(await newAccount('next', 'gone@test.test'), null));
    t.is((await resultOf(findTenant(singleConnection(client), 'gone@test.test'))).id, 'next');

    t.like(await remove(client, 'gone', options), { rows: 1730, isGone: true });
    t.deepEqual(progress, [300, 600, 300, 600, 900, 1200, 1500, 1730]);
    t.is((await rowsOf(client, 'gone')).sum, 0);
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

const later = timestampAt(Date.parse('2999-01-01T00:00:00.000Z'));
const options: PurgeOptions = { ...untilDone, at: later, batchSize: 10 };

/** Adds sessions to a user, which expire at this moment, an SQL expression. */
const addSessions = async (client: pg.Client, user: string, expiry: string, ...ids: readonly string[]) => {
  const insert = `INSERT INTO triage.sessions SELECT $1, $2::text, $3, '2000-01-01', ${expiry}`;
  for (const id of ids) await client.query(insert, [user, id, hashSecret(id)]);
};

test('expired sessions of all tenants are deleted in batches, and neither valid nor locked ones', async (t) => {
  const url = await filled(t, { ...acme, sessions: [] }, { ...other, sessions: [] });
  await connected(url, async (client) => {
    const old = Array.from({ length: 25 }, (_, i) => `old${i}`);
    await addSessions(client, 'acme', "now() - interval '1 second'", ...old);
    await addSessions(client, 'other', "now() - interval '1 second'", 'gone', 'locked');
    await addSessions(client, 'other', "now() + interval '1 hour'", 'valid');
    await client.query("BEGIN; SELECT FROM triage.sessions WHERE id = 'locked' FOR UPDATE");
    const progress: number[] = [];
    const onProgress: PurgeOptions['onProgress'] = ({ sessions }) => progress.push(sessions);
    const pool = opened(t, url);
    const purged = await resultOf(purge(pool, { ...options, onProgress }));
    await client.query('COMMIT');
    t.deepEqual(purged, { sessions: 26, tenants: 0, rows: 0 });
    t.deepEqual(progress, [10, 20, 26]);
    // The clock of a server may be frozen in the past: what is valid to it stays.
    await addSessions(client, 'acme', "'2020-01-01'", 'before');
    await addSessions(client, 'acme', "'2020-01-03'", 'after');
    const at = timestampAt(Date.parse('2020-01-02T00:00:00.000Z'));
    t.is((await resultOf(purge(pool, { ...options, at }))).sessions, 1);
    const { rows } = await client.query("SELECT string_agg(id, ' ' ORDER BY id) AS ids FROM triage.sessions");
    t.deepEqual(rows, [{ ids: 'after locked valid' }]);
  });
});

test('an account is locked out at once even if none of its rows can be deleted; housekeeping deletes them, once the database works', async (t) => {
  const url = await database(t);
  const logged: unknown[] = [];
  await connected(url, async (client) => {
    for (const id of ['gone', 'many', 'kept']) await aTenantOf(client, id, id === 'many' ? 2500 : 20);
    const kept = await rowsOf(client, 'kept');
    await addSessions(client, 'kept', "'2020-01-01'", 'old');
    const role = opened(t, await roleOfTheDocuments(t, url));
    const storage = postgresStorage({ database: role }, () => {});
    t.true(await resultOf(storage.deleteAccount({ userId: 'many' })));
    await client.query('ALTER FUNCTION triage.delete_rows_of_deleted RENAME TO not_there');
    t.true(await resultOf(storage.deleteAccount({ userId: 'gone' })));
    await client.query('ALTER FUNCTION triage.not_there RENAME TO delete_rows_of_deleted');
    t.is(await callerOf(storage, bySession('gone')), 'nobody');
    const [{ sum: gone = 0 }, { sum: many = 0 }] = [
      await rowsOf(client, 'gone'),
      await rowsOf(client, 'many'),
    ];
    t.true(many > 1, 'one request does not delete them all');
    const failures = [
      { _tag: 'StorageUnavailable', cause: new Error('down') },
      { _tag: 'StorageFailed', cause: new Error('forbidden') },
    ] as const;
    let runs = 0;
    const { run, stop } = startHousekeeping({
      purge: async (options) => {
        const failure = failures[runs];
        runs += 1;
        return failure === undefined ? purge(role, options) : E.left(failure);
      },
      clock: () => Date.parse(later),
      log: (...entry) => logged.push(entry),
      interval: 1,
    });
    t.teardown(stop);
    while (logged.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    await Promise.all([run(), run()]);
    const failed = 'the database was not purged';
    t.deepEqual(logged, [
      ['debug', failed, { cause: 'Error: down' }],
      ['warn', failed, { cause: 'Error: forbidden' }],
      ['info', 'purged the database', { sessions: 1, tenants: 2, rows: gone + many - 2 }],
    ]);
    t.deepEqual(await rowsOf(client, 'kept'), kept);
  });
});
