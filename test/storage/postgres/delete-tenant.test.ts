import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type pg from 'pg';
import { callerOf, firstPage, resultOf } from '../../../src/storage/conformance/assertions.js';
import { newAccount, newApiToken, newSession } from '../../../src/storage/conformance/new-records.js';
import { singleConnection } from '../../../src/storage/postgres/database.js';
import { deleteTenant, findTenant } from '../../../src/storage/postgres/tenants.js';
import { aSession, aUser, dataset } from '../../_data.js';
import { bySession } from '../../_storage.js';
import { fill } from './_fill.js';
import { storageAt } from './_opened.js';
import { connected, withPostgres } from './_postgres.js';
import { aTenantOf } from './_tenants.js';

const { database } = withPostgres(test);

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
    "SELECT table_name FROM information_schema.columns WHERE table_schema = 'triage' AND column_name = 'user_id' ORDER BY 1",
  );
  const counts: Record<string, number> = {};
  for (const { table_name: table } of tables) {
    const { rows } = await client.query(
      `SELECT count(*)::integer AS count FROM triage.${table} WHERE user_id = $1`,
      [id],
    );
    counts[String(table)] = rows[0].count;
  }
  const users = await client.query('SELECT FROM triage.users WHERE id = $1', [id]);
  return { ...counts, users: users.rows.length };
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
  t.is((await resultOf(storageAt(t, url).findings(bySession('kept'), firstPage))).total, 1000);
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
    const login = storage.startSession(newSession('u', 'late'), null)();
    const mint = storage.addApiToken(newApiToken('u', 'late'))();
    await client.query('COMMIT');
    t.deepEqual(await login, E.right(undefined));
    t.deepEqual(await mint, E.left({ _tag: 'Unauthorized' }));
    t.is(await callerOf(storage, bySession('late')), 'nobody');
  });
});

test('concurrent deletions of one tenant take turns, and rows that are added meanwhile go as well', async (t) => {
  const url = await database(t);
  await connected(url, async (client) => {
    await aTenantOf(client, 'gone', 500);
    const found = await resultOf(findTenant(singleConnection(client), 'gone'));
    let added = 0;
    const one = connected(url, (own) =>
      resultOf(deleteTenant(singleConnection(own), found, { ...untilDone, batchSize: 50 })),
    );
    const two = connected(url, (own) =>
      resultOf(deleteTenant(singleConnection(own), found, { ...untilDone, batchSize: 50 })),
    );
    const writer = connected(url, async (own) => {
      for (let i = 0; i < 200; i += 1) {
        const written = await own
          .query("INSERT INTO triage.repos VALUES ('gone', $1, '', '', '', false, '', '')", [`new${i}`])
          .catch((error: unknown) => Object(error));
        if (written.code !== undefined) return written.code;
        added += 1;
      }
      return 'finished';
    });
    const [first, second, end] = await Promise.all([one, two, writer]);
    t.true(first.isGone || second.isGone);
    t.true(first.rows + second.rows <= 1330 + added);
    t.true(['23503', 'finished'].includes(end), end);
    if (end === 'finished') await remove(client, 'gone').catch(() => {});
    t.is(sum(await rowsOf(client, 'gone')), 0);
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
      const found = await findTenant(singleConnection(client), text)();
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
