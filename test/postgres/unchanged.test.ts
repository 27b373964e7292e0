import { isDeepStrictEqual } from 'node:util';
import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type { Storage } from '../../src/accounts/account-storage.js';
import type { ReadResult, StorageError, Version } from '../../src/api/storage-port.js';
import { citusAccess } from '../../src/postgres/citus.js';
import type { Pool } from '../../src/postgres/database.js';
import { postgresStorage } from '../../src/postgres/storage.js';
import { acme, other } from '../../src/storage-kit/conformance/sample-tenants.js';
import { bySession } from '../_storage.js';
import { connected, opened, storageAt, withPostgres } from './_postgres.js';

const { filled } = withPostgres(test);

/** A read of the API, which may know a version. */
type Read = (storage: Storage, known?: Version) => ReadResult<unknown>;

const by = bySession('acme-cookie');
const everything = { repoId: undefined, status: undefined, offset: 0, limit: 100 };
const findings =
  (over: Partial<Parameters<Storage['findings']>[1]> = {}): Read =>
  (storage, known) =>
    storage.findings(by, { ...everything, ...over }, known);
const prs =
  (over: Partial<Parameters<Storage['prs']>[1]> = {}): Read =>
  (storage, known) =>
    storage.prs(by, { ...everything, ...over }, known);

/** Every statement that reads, on every kind of page. */
const reads: readonly (readonly [name: string, read: Read])[] = Object.entries({
  repos: (storage, known) => storage.repos(by, known),
  findings: findings(),
  // It can stay the same row while the total changes.
  'first finding': findings({ limit: 1 }),
  'findings, second page': findings({ offset: 2, limit: 2 }),
  'findings beyond the last': findings({ offset: 900 }),
  'findings of a repo': findings({ repoId: 'api' }),
  finding: (storage, known) => storage.finding(by, 'd1', known),
  'no finding': (storage, known) => storage.finding(by, 'nope', known),
  prs: prs(),
  'second page of prs': prs({ offset: 2, limit: 2 }),
  'open prs': prs({ status: 'open' }),
  'prs of a repo': prs({ repoId: 'api' }),
  'open prs of a repo': prs({ repoId: 'web', status: 'open', limit: 1 }),
} satisfies Readonly<Record<string, Read>>);

/** Changes of everything that an answer shows, of rows beyond a page, and of another tenant. */
const changes = `
UPDATE fix_drafts SET ci_status = ci_status || '!'
UPDATE fix_drafts SET package = package || '!'
UPDATE fix_drafts SET advisory_id = advisory_id || '!'
UPDATE fix_drafts SET reachability = reachability + 0.0000000001
UPDATE fix_drafts SET status = 'resolved'
UPDATE fix_drafts SET discovered_at = CASE id WHEN 'd1' THEN now() ELSE discovered_at END
UPDATE repos SET owner = owner || '!'
UPDATE repos SET repo = repo || '!'
UPDATE repos SET default_branch = 'trunk'
UPDATE scans SET error = 'new'
UPDATE scans SET started_at = started_at + interval '1 day'
UPDATE scans SET finished_at = finished_at + interval '1 millisecond'
UPDATE pull_requests SET branch = branch || '!'
UPDATE pull_requests SET pr_state = 'open'
UPDATE pull_requests SET updated_at = updated_at + interval '1 day'
DELETE FROM pull_requests WHERE draft_id = 'd1'
DELETE FROM fix_drafts WHERE id = 'd1'
DELETE FROM repos WHERE id = 'api'`
  .trim()
  .split('\n')
  .map((change) => `${change}${change.includes('WHERE') ? ' AND' : ' WHERE'} user_id = 'acme'`);
const ofAnother = "UPDATE fix_drafts SET ci_status = 'x' WHERE user_id = 'other'";

/** What each read finds, which has to be rows. */
const foundBy = async (storage: Storage) =>
  Promise.all(
    reads.map(async ([name, read]) => {
      const found = await read(storage);
      if (E.isLeft(found) || 'unchanged' in found.right) throw new Error(`${name} finds no rows`);
      return { name, read, found: found.right };
    }),
  );

test('a version stands for the same rows, and after any change reads that know it find the new ones', async (t) => {
  const url = await filled(t, acme, other);
  const storage = storageAt(t, url);
  await connected(url, async (client) => {
    await client.query('SET search_path = triage');
    for (const change of [...changes, ofAnother]) {
      const before = await foundBy(storage);
      await client.query(change);
      let changed = 0;
      for (const [index, { name, read, found }] of (await foundBy(storage)).entries()) {
        const earlier = before[index]?.found;
        const isSame = isDeepStrictEqual(found.rows, earlier?.rows);
        changed += isSame ? 0 : 1;
        t.is(found.version === earlier?.version, isSame, `${name} after ${change}`);
        const again = await read(storage, earlier?.version ?? undefined);
        t.deepEqual(again, E.right(isSame ? { caller: found.caller, unchanged: true } : found), name);
      }
      t.is(changed > 0, change !== ofAnother, change);
    }
  });
});

test('rows whose version is known are not sent, also by a connection that has lost its prepared statements', async (t) => {
  const single = opened(t, await filled(t, acme), { poolSize: 1 });
  const sent: unknown[] = [];
  const query: Pool['query'] = async (statement) => {
    const result = await single.query(statement);
    if (E.isRight(result)) sent.push(...result.right.map((row) => Object(row).rows));
    return result;
  };
  const storage = postgresStorage({ database: { query } }, () => {});
  const found = await foundBy(storage);
  t.true(E.isRight(await single.query({ text: 'DEALLOCATE ALL', values: [] })));
  for (const {
    name,
    read,
    found: { version },
  } of found) {
    sent.length = 0;
    await read(storage, version ?? undefined);
    t.deepEqual(sent, [null], name);
  }
  t.deepEqual(single.connections(), { total: 1, idle: 1, waiting: 0 });
});

test('a database that is distributed while a server runs is used as such after a failure', async (t) => {
  const failed: StorageError = { _tag: 'StorageFailed', cause: new Error('no tenant is set') };
  const unavailable: StorageError = { _tag: 'StorageUnavailable', cause: new Error('no connection') };
  let isDistributed = false;
  let asked = 0;
  const { choose } = citusAccess({
    coordinator: {
      query: async () => {
        asked += 1;
        return E.right(isDistributed ? [{ name: 'citus' }] : []);
      },
    },
    openWorker: () => t.fail('no worker is needed'),
  });
  const onCitus = async () => E.right('on Citus');
  const failing = (error: StorageError) => choose(async () => E.left(error), onCitus);
  t.deepEqual(await failing(unavailable), E.left(unavailable));
  isDistributed = true;
  t.deepEqual(await failing(failed), E.left(failed));
  t.is(asked, 1, 'what is known is kept until something fails');
  for (let i = 0; i < 2; i += 1) t.deepEqual(await failing(failed), E.right('on Citus'));
  t.is(asked, 2);
});
