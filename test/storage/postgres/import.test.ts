import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type { Dataset } from '../../../src/records/dataset.js';
import { firstPage, resultOf } from '../../../src/storage/conformance/assertions.js';
import { importInto, type TenantSource } from '../../../src/storage/postgres/import-tenants.js';
import { aDraft, aRepo, aSession, aUser, dataset } from '../../_data.js';
import { bySession } from '../../_storage.js';
import { connected, storageAt, tenantsFrom, withPostgres } from './_postgres.js';

const { database } = withPostgres(test);

const world = (id: string, drafts: number, over = {}): Dataset =>
  dataset({
    user: { ...aUser(id), ...over },
    sessions: [aSession(id)],
    repos: [aRepo('r')],
    fixDrafts: Array.from({ length: drafts }, (_, i) => aDraft(`d${i}`, 'r')),
  });

const importing = (
  url: string,
  source: TenantSource,
  replace = false,
  onProgress = (_: unknown, __: number) => {},
) => importInto(url, source, { replace, onProgress });

test('rows are written in batches, and the tables are vacuumed and analyzed at the end', async (t) => {
  const url = await database(t);
  // Pages count as visible once the commit of their rows is on disk, for which tests do not wait otherwise.
  const waiting = `${url}?options=-c%20synchronous_commit%3Don`;
  const progress: number[] = [];
  const source = tenantsFrom([world('u', 2500)]);
  t.is(await resultOf(importing(waiting, source, false, (_, rows) => progress.push(rows))), 1);
  t.deepEqual(progress, [0, 1, 1001, 2001, 2501]);
  await connected(url, async (client) => {
    const { rows } = await client.query(
      "SELECT reltuples, relallvisible = relpages AS visible FROM pg_class WHERE oid = 'triage.fix_drafts'::regclass",
    );
    t.deepEqual(rows, [{ reltuples: 2500, visible: true }]);
  });
});

test('a replaced tenant is the old one until the new one is complete', async (t) => {
  const url = await database(t);
  await resultOf(importing(url, tenantsFrom([world('u', 3), world('same-address', 1)])));
  const storage = storageAt(t, url);
  const total = async (session: string) => {
    const found = await storage.findings(bySession(session), firstPage)();
    return E.isRight(found) ? found.right.total : found.left._tag;
  };
  const during: unknown[] = [];
  async function* source(): TenantSource {
    // One has the id of an existing tenant, the other one's address belongs to another.
    yield* tenantsFrom([world('u', 5), world('other', 7, { email: 'same-address@test.test' })]);
    during.push(await total('u'), await total('same-address'), await total('other'));
  }
  t.is(await resultOf(importing(url, source(), true)), 2);
  t.deepEqual(during, [3, 1, 'Unauthorized']);
  t.deepEqual([await total('u'), await total('same-address'), await total('other')], [5, 'Unauthorized', 7]);
});

test('when one tenant cannot be added or read, none is, and every reason is told', async (t) => {
  const url = await database(t);
  await resultOf(importing(url, tenantsFrom([world('u', 3)])));
  async function* source(): TenantSource {
    yield* tenantsFrom([world('new', 1), world('u', 1, { email: 'other@test.test' })]);
    yield E.left(['a file that cannot be read']);
    yield* tenantsFrom([world('v', 1, { email: 'U@test.test' })]);
    const stolen = dataset({ user: aUser('w'), sessions: [aSession('u')] });
    yield* tenantsFrom([stolen]);
  }
  t.deepEqual(
    await importing(url, source())(),
    E.left({
      _tag: 'ImportRefused',
      hasConflicts: true,
      reasons: [
        'u: a user with this id exists already',
        'a file that cannot be read',
        'v: the e-mail address U@test.test is already in use',
        'w: one of its session values is already in use',
      ],
    }),
  );
  const { rows } = await connected(url, (client) => client.query('SELECT id FROM triage.users'));
  t.deepEqual(rows, [{ id: 'u' }]);
  t.is((await resultOf(storageAt(t, url).findings(bySession('u'), firstPage))).total, 3);
});
