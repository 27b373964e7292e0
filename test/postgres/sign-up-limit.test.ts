import test, { type ExecutionContext } from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type { Storage } from '../../src/accounts/account-storage.js';
import { openDatabase } from '../../src/postgres/database.js';
import { postgresStorage } from '../../src/postgres/storage.js';
import { callerOf, firstPage, resultOf } from '../../src/storage-kit/conformance/conformance-case.js';
import { column, newAccount } from '../_data.js';
import { bySession } from '../_storage.js';
import { testSignUpLimit } from '../storage-kit/_sign-up-limit.js';
import { connected, elapsed, grow, opened, refill, withPostgres } from './_postgres.js';

const { beforeStop, database, sharedDatabase } = withPostgres(test);

const closings: (() => Promise<void>)[] = [];
let shared = '';
beforeStop(async () => {
  for (const close of closings) await close();
});

testSignUpLimit(test, 'PostgreSQL', async (datasets, maxSignUps, events) => {
  shared ||= await sharedDatabase();
  await refill(shared, datasets);
  const pool = openDatabase({ url: shared, poolSize: 8, timeLimit: 10_000, elapsed }, () => {});
  closings.push(pool.close);
  return postgresStorage({ database: pool }, (_, event) => events.push(event), { maxSignUps });
});

const limitedTo = (t: ExecutionContext, url: string, maxSignUps: number): Storage =>
  postgresStorage({ database: opened(t, url) }, () => {}, { maxSignUps });

const signUp = async (storage: Storage, id: string): Promise<void> =>
  resultOf(storage.signUp(await newAccount(id), null));

test('a limit far below the number of tenants is reached in steps of ten', async (t) => {
  const url = await database(t);
  const storage = limitedTo(t, url, 3);
  await connected(url, async (client) => {
    await client.query(
      `INSERT INTO triage.users (id, email, email_key, name, password_hash, signed_up_at)
       SELECT 'old' || i, i, i, '', '', '2026-01-01'::timestamptz + i * interval '1 hour' FROM generate_series(11, 35) i`,
    );
    for (const [id, left] of [
      ['u1', ['old21', 'old22', 'old23']],
      ['u2', ['old31', 'old32', 'old33']],
      ['u3', ['u1', 'u2', 'u3']],
    ] as const) {
      await signUp(storage, id);
      const signedUp =
        'SELECT id FROM triage.users WHERE signed_up_at IS NOT NULL ORDER BY signed_up_at LIMIT 3';
      t.deepEqual(column((await client.query(signedUp)).rows, 'id'), left);
    }
  });
});

test('the rows of a removed tenant are not deleted during the sign-up, and nobody can read them', async (t) => {
  const url = await database(t);
  const storage = limitedTo(t, url, 1);
  await signUp(storage, 'u1');
  await connected(url, async (client) => {
    await client.query(
      "INSERT INTO triage.repos SELECT 'u1', 'r' || i, '', '', '', false, '', '' FROM generate_series(0, 29) i",
    );
    await grow(client, 'u1', 1, 2000);
    await signUp(storage, 'u2');
    const { rows } = await client.query(
      "SELECT (SELECT count(*)::integer FROM triage.fix_drafts WHERE user_id = 'u1') AS drafts, u.* FROM triage.users u WHERE id = 'u1'",
    );
    const nothing = { email: '', email_key: null, name: '', password_hash: '', signed_up_at: null };
    t.like(rows[0], { drafts: 2001, ...nothing });
  });
  t.deepEqual(await storage.findings(bySession('u1'), firstPage), E.left({ _tag: 'Unauthorized' }));
});

test('a tenant whose account is locked does not delay a sign-up, and is removed by the next one', async (t) => {
  const url = await database(t);
  const storage = limitedTo(t, url, 1);
  await signUp(storage, 'u1');
  await connected(url, async (writer) => {
    await writer.query("BEGIN; INSERT INTO triage.repos VALUES ('u1', 'new', '', '', '', false, '', '')");
    await signUp(storage, 'u2');
    t.is(await callerOf(storage, bySession('u1')), 'u1');
    await writer.query('COMMIT');
  });
  await signUp(storage, 'u3');
  const callers = ['u1', 'u2', 'u3'].map((id) => callerOf(storage, bySession(id)));
  t.deepEqual(await Promise.all(callers), ['nobody', 'nobody', 'u3']);
});
