import test, { type ExecutionContext } from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { acme, other } from '../../../src/storage/conformance/sample-tenants.js';
import type { Storage } from '../../../src/storage/port.js';
import type { Database } from '../../../src/storage/postgres/database.js';
import { postgresStorage } from '../../../src/storage/postgres/storage.js';
import { aDraft, aPullRequest, aRepo, aSession, aUser, dataset } from '../../_data.js';
import { bySession } from '../../_storage.js';
import { connected, fill, opened, storageAt, withPostgres } from './_postgres.js';
import { answersOf, everything, readsBy } from './_reads.js';

const { database, filled } = withPostgres(test);

const credentials = bySession('acme-cookie');
const page = everything;
const reads = readsBy(credentials);

const own = "user_id = 'acme'";

/** Changes of everything that an answer shows, and of some that none shows. */
const changes: readonly string[] = [
  `UPDATE triage.fix_drafts SET ci_status = ci_status || '!' WHERE ${own}`,
  `UPDATE triage.fix_drafts SET package = package || '!' WHERE ${own}`,
  `UPDATE triage.fix_drafts SET advisory_id = advisory_id || '!' WHERE ${own}`,
  `UPDATE triage.fix_drafts SET status = 'resolved' WHERE ${own}`,
  `UPDATE triage.fix_drafts SET discovered_at = discovered_at + interval '1 day' WHERE ${own} AND id = 'd1'`,
  `UPDATE triage.repos SET owner = owner || '!' WHERE ${own}`,
  `UPDATE triage.repos SET default_branch = 'trunk' WHERE ${own}`,
  `UPDATE triage.scans SET error = 'new' WHERE ${own}`,
  `UPDATE triage.scans SET started_at = started_at + interval '1 day' WHERE ${own}`,
  `UPDATE triage.pull_requests SET branch = branch || '!' WHERE ${own}`,
  `UPDATE triage.pull_requests SET pr_state = 'open' WHERE ${own}`,
  `UPDATE triage.pull_requests SET updated_at = updated_at + interval '1 day' WHERE ${own}`,
  `DELETE FROM triage.pull_requests WHERE ${own} AND draft_id = 'd1'`,
  `DELETE FROM triage.fix_drafts WHERE ${own} AND id = 'd1'`,
  `DELETE FROM triage.repos WHERE ${own} AND id = 'api'`,
  "UPDATE triage.fix_drafts SET ci_status = 'x' WHERE user_id = 'other'",
];

test('after any change, every process sees it with its next request', async (t) => {
  const url = await database(t);
  await connected(url, async (client) => {
    await fill(client, [acme, other]);
    const processes = [storageAt(t, url), storageAt(t, url)];
    for (const change of changes) {
      for (const storage of processes) await answersOf(storage, reads);
      await client.query(change);
      const fresh = await answersOf(storageAt(t, url), reads);
      for (const storage of processes) t.deepEqual(await answersOf(storage, reads), fresh, change);
    }
  });
});

/** Tenants whose rows all have the same time. */
const simultaneous = dataset({
  user: aUser('acme'),
  sessions: [aSession('acme-cookie')],
  repos: [aRepo('web')],
  fixDrafts: Array.from({ length: 12 }, (_, i) => aDraft(`d${i}`, 'web')),
  pullRequests: Array.from({ length: 12 }, (_, i) => aPullRequest(`p${i}`, `d${i}`, { prState: 'open' })),
});

test('a change is seen on every page, also of rows with the same time', async (t) => {
  const url = await database(t);
  await connected(url, async (client) => {
    await fill(client, [simultaneous]);
    const storage = storageAt(t, url);
    const pages = [1, 2, 3, 5].flatMap((limit) =>
      Array.from({ length: Math.ceil(12 / limit) }, (_, i) => ({ offset: i * limit, limit })),
    );
    const read = async (from: Storage): Promise<readonly unknown[]> => {
      const answers: unknown[] = [];
      for (const range of pages) {
        for (const repoId of [undefined, 'web']) {
          answers.push(await from.findings(credentials, { ...range, repoId })());
          for (const status of [undefined, 'open'] as const)
            answers.push(await from.prs(credentials, { ...range, repoId, status })());
        }
      }
      return answers;
    };
    const before = await read(storage);
    await client.query(`UPDATE triage.fix_drafts SET package = package || '!' WHERE ${own}`);
    const after = await read(storage);
    t.deepEqual(after, await read(storageAt(t, url)));
    for (const [index, answer] of after.entries()) t.notDeepEqual(answer, before[index]);
  });
});

/** A database that notes whether the rows of an answer came along. */
const observed = (t: ExecutionContext, url: string) => {
  const database = opened(t, url);
  const sent: boolean[] = [];
  const observing: Database = {
    ...database,
    query: (statement) => async () => {
      const result = await database.query(statement)();
      if (E.isRight(result))
        for (const row of result.right) sent.push(row !== null && Object(row).rows !== null);
      return result;
    },
  };
  return { storage: postgresStorage({ database: observing }, () => {}), sent };
};

test('while nothing changes, rows are sent once, and an answer is the same object', async (t) => {
  const url = await filled(t, acme);
  const { storage, sent } = observed(t, url);
  for (const [name, read] of Object.entries(reads)) {
    sent.length = 0;
    const [first, second] = [await read(storage)(), await read(storage)()];
    if (E.isLeft(first) || E.isLeft(second)) return t.fail(name);
    t.is(second.right, first.right, name);
    const isEmpty = name === 'no finding' || name === 'findings beyond the last';
    t.deepEqual(sent, [!isEmpty, false], name);
  }
});

test('an answer that is known is refused to whoever may not have it', async (t) => {
  const url = await database(t);
  await connected(url, async (client) => {
    await fill(client, [acme]);
    const storage = storageAt(t, url);
    t.true(E.isRight(await storage.findings(credentials, page)()));
    await client.query('DELETE FROM triage.sessions');
    t.deepEqual(await storage.findings(credentials, page)(), E.left({ _tag: 'Unauthorized' }));
  });
});

test('a connection that has lost its prepared statements is asked without them', async (t) => {
  const url = await filled(t, acme);
  const single = opened(t, url, { poolSize: 1 });
  const storage = postgresStorage({ database: single }, () => {});
  t.true(E.isRight(await storage.repos(credentials)()));
  t.true(E.isRight(await single.query({ text: 'DEALLOCATE ALL', values: [] })()));
  t.true(E.isRight(await storage.repos(credentials)()));
  t.true(E.isRight(await storage.prs(credentials, page)()));
});
