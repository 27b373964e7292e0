import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { timestampAt } from '../../../src/codecs/timestamp.js';
import { resultOf } from '../../../src/storage/conformance/assertions.js';
import { newAccount } from '../../../src/storage/conformance/new-records.js';
import { acme, other } from '../../../src/storage/conformance/sample-tenants.js';
import { purge } from '../../../src/storage/postgres/tenants.js';
import { at, now } from '../../_data.js';
import { bySession } from '../../_storage.js';
import { fill } from './_fill.js';
import { opened, storageAt } from './_opened.js';
import { connected, withPostgres } from './_postgres.js';
import { memberOf, roleOfTheDocuments, setUp } from './_role.js';

const { database } = withPostgres(test);

const tables = ['sessions', 'api_tokens', 'repos', 'scans', 'fix_drafts', 'pull_requests'];

/** How many rows of each table belong to a tenant; of `users`, those that say more than its id. */
const rowsOf = (url: string, tenant: string): Promise<Readonly<Record<string, number>>> =>
  connected(url, async (client) => {
    const { rows } = await client.query(
      `SELECT ${tables.map((table) => `(SELECT count(*) FROM triage.${table} WHERE user_id = $1)::int AS ${table}`).join(', ')},
         (SELECT count(*) FROM triage.users WHERE id = $1 AND email || name || password_hash <> '')::int AS users`,
      [tenant],
    );
    return rows[0];
  });

const hasNone = (counts: Readonly<Record<string, number>>): boolean =>
  Object.values(counts).every((count) => count === 0);

test('a serving role deletes an account with every row in every table, and no row of others', async (t) => {
  const url = await database(t);
  await connected(url, (client) => fill(client, [acme, other]));
  const storage = storageAt(t, await roleOfTheDocuments(t, url));
  await resultOf(storage.signUp(await newAccount('new'), null));
  t.false(hasNone(await rowsOf(url, 'new')));
  const before = [await rowsOf(url, 'acme'), await rowsOf(url, 'other')];
  t.true(await resultOf(storage.deleteAccount({ userId: 'new' })));
  t.true(hasNone(await rowsOf(url, 'new')));
  t.deepEqual([await rowsOf(url, 'acme'), await rowsOf(url, 'other')], before);
});

test('a tenant with many rows is locked out at once, and housekeeping deletes the rows', async (t) => {
  const url = await database(t);
  await connected(url, async (client) => {
    await fill(client, [acme]);
    await client.query(
      `INSERT INTO triage.repos
       SELECT 'acme', 'many' || i, 'o', 'r', 'm', false, '', '' FROM generate_series(1, 5000) AS i`,
    );
  });
  const storage = storageAt(t, url);
  t.true(await resultOf(storage.deleteAccount({ userId: 'acme' })));
  t.deepEqual(await storage.repos(bySession('acme-cookie'))(), E.left({ _tag: 'Unauthorized' }));
  t.is(await resultOf(storage.userByEmail('acme@test.test')), null);
  t.true((await rowsOf(url, 'acme')).repos !== 0, 'one request does not delete them all');
  await resultOf(
    purge(opened(t, url), {
      at: timestampAt(at(now)),
      batchSize: 1000,
      onProgress: () => {},
      shouldStop: () => false,
    }),
  );
  t.true(hasNone(await rowsOf(url, 'acme')));
  const users = await connected(url, (client) => client.query('SELECT id FROM triage.users'));
  t.deepEqual(users.rows, []);
});

test('an account is deleted even when its rows cannot be: they are left to housekeeping', async (t) => {
  const url = await database(t);
  await connected(url, async (client) => {
    await fill(client, [acme]);
    await client.query('DROP FUNCTION triage.delete_rows_of_deleted');
  });
  const storage = storageAt(t, url);
  t.true(await resultOf(storage.deleteAccount({ userId: 'acme' })));
  t.deepEqual(await storage.repos(bySession('acme-cookie'))(), E.left({ _tag: 'Unauthorized' }));
});

test('a serving role cannot delete rows of an account that is not deleted', async (t) => {
  const url = await database(t);
  await connected(url, (client) => fill(client, [acme]));
  const before = await rowsOf(url, 'acme');
  const { serve } = await setUp(t, url);
  await connected(await memberOf(t, url, serve), (client) =>
    client.query("SELECT triage.delete_rows_of_deleted('acme', 1000)"),
  );
  t.deepEqual(await rowsOf(url, 'acme'), before);
});

test('a change of the password cannot start a session of another user', async (t) => {
  const url = await database(t);
  await connected(url, (client) => fill(client, [acme, other]));
  const { serve } = await setUp(t, url);
  await connected(await memberOf(t, url, serve), async (client) => {
    const known = (await client.query("SELECT triage.user_by_email('acme@test.test') AS user")).rows[0].user;
    const session = { userId: 'other', id: 's', hash: 'b'.repeat(64) };
    const times = { createdAt: '2026-01-01T00:00:00.000Z', expiresAt: '2027-01-01T00:00:00.000Z' };
    await t.throwsAsync(
      client.query("SELECT triage.change_password('acme', $1, 'x', $2)", [
        known.passwordHash,
        JSON.stringify({ ...session, ...times }),
      ]),
      { code: '23514' },
    );
  });
});
