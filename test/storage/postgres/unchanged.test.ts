import test, { type ExecutionContext } from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { acme, other } from '../../../src/storage/conformance/sample-tenants.js';
import type { Storage } from '../../../src/storage/port.js';
import type { Database } from '../../../src/storage/postgres/database.js';
import { foldCounts } from '../../../src/storage/postgres/fold-counts.js';
import { postgresStorage } from '../../../src/storage/postgres/storage.js';
import { aDraft, aPullRequest, aRepo, aSession, aUser, dataset } from '../../_data.js';
import { bySession } from '../../_storage.js';
import { fill } from './_fill.js';
import { opened, storageAt } from './_opened.js';
import { connected, withPostgres } from './_postgres.js';

const { database } = withPostgres(test);

const credentials = bySession('acme-cookie');
const page = { repoId: undefined, status: undefined, offset: 0, limit: 100 };

const reads: Readonly<Record<string, (storage: Storage) => TaskEither<unknown, unknown>>> = {
  repos: (storage) => storage.repos(credentials),
  findings: (storage) => storage.findings(credentials, page),
  'findings, second page': (storage) => storage.findings(credentials, { ...page, offset: 2, limit: 2 }),
  'findings of a repo': (storage) => storage.findings(credentials, { ...page, repoId: 'api' }),
  finding: (storage) => storage.finding(credentials, 'd1'),
  'no finding': (storage) => storage.finding(credentials, 'nope'),
  prs: (storage) => storage.prs(credentials, page),
  'open prs': (storage) => storage.prs(credentials, { ...page, status: 'open' }),
  'prs of a repo': (storage) => storage.prs(credentials, { ...page, repoId: 'api' }),
};

const all = async (storage: Storage): Promise<Readonly<Record<string, unknown>>> => {
  const answers: Record<string, unknown> = {};
  for (const [name, read] of Object.entries(reads)) answers[name] = await read(storage)();
  return answers;
};

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

test('after any change, every process sees it with its next request, and so after its counts are folded', async (t) => {
  const url = await database(t);
  await connected(url, async (client) => {
    await fill(client, [acme, other]);
    const processes = [storageAt(t, url), storageAt(t, url)];
    for (const change of changes) {
      for (const storage of processes) await all(storage);
      await client.query(change);
      const fresh = await all(storageAt(t, url));
      for (const storage of processes) t.deepEqual(await all(storage), fresh, change);
      t.true(E.isRight(await foldCounts(opened(t, url))()));
      for (const storage of processes) t.deepEqual(await all(storage), fresh, `${change}, folded`);
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

const columns =
  'user_id, id, repo_id, draft_id, from_version, to_version, branch, has_codemod, codemod_summary, ci_status, pr_url, pr_state, created_at, updated_at, reconciled_at';

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
  const url = await database(t);
  await connected(url, (client) => fill(client, [acme]));
  const { storage, sent } = observed(t, url);
  for (const [name, read] of Object.entries(reads)) {
    sent.length = 0;
    const [first, second] = [await read(storage)(), await read(storage)()];
    if (E.isLeft(first) || E.isLeft(second)) return t.fail(name);
    if (name === 'no finding') continue;
    t.is(second.right, first.right, name);
    t.deepEqual(sent, [true, false], name);
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
  const url = await database(t);
  await connected(url, (client) => fill(client, [acme]));
  const single = opened(t, url, { poolSize: 1 });
  const storage = postgresStorage({ database: single }, () => {});
  t.true(E.isRight(await storage.repos(credentials)()));
  t.true(E.isRight(await single.query({ text: 'DEALLOCATE ALL', values: [] })()));
  t.true(E.isRight(await storage.repos(credentials)()));
  t.true(E.isRight(await storage.prs(credentials, page)()));
});

test('rows of one transaction that take the places of others are other rows', async (t) => {
  const url = await database(t);
  await connected(url, async (client) => {
    await fill(client, [dataset({ user: aUser('u'), sessions: [aSession('moved')], repos: [aRepo('r')] })]);
    await client.query(
      `INSERT INTO triage.scans SELECT 'u', 's' || i, 'r', '2026-01-01'::timestamptz - i * interval '1 day', '2026-01-01', '', 0, 0
       FROM generate_series(1, 4) i`,
    );
    await client.query(
      `INSERT INTO triage.fix_drafts SELECT 'u', 'f' || i, 'r', 'A', '', '', '', '', 'low', 0, 0, 'pending', '',
         '2026-01-01'::timestamptz - i * interval '1 day', now(), NULL FROM generate_series(1, 8) i`,
    );
    // Rows that others may still see stay where they are, so it may take more than one attempt.
    const rewrite = async (): Promise<void> => {
      for (;;) {
        await client.query('VACUUM FULL triage.fix_drafts, triage.scans');
        const { rows } = await client.query(
          'SELECT (SELECT min(ctid) FROM triage.fix_drafts) AS draft, (SELECT min(ctid) FROM triage.scans) AS scan',
        );
        if (rows[0].draft === '(0,1)' && rows[0].scan === '(0,1)') return;
      }
    };
    await rewrite();
    const storage = storageAt(t, url);
    const moved = bySession('moved');
    const both = async (from: Storage) => [
      await from.findings(moved, { ...page, limit: 3 })(),
      await from.repos(moved)(),
    ];
    await both(storage);
    await client.query(
      `DELETE FROM triage.scans WHERE id = 's1'; DELETE FROM triage.fix_drafts WHERE id = 'f1';
       INSERT INTO triage.fix_drafts VALUES ('u', 'old', 'r', 'A', '', '', '', '', 'low', 0, 0, 'pending', '', '2020-01-01', now(), NULL)`,
    );
    await rewrite();
    t.deepEqual(await both(storage), await both(storageAt(t, url)));
  });
});

test('a name is new after every rename, although no pull request was counted for a moment', async (t) => {
  const url = await database(t);
  await connected(url, async (client) => {
    await fill(client, [acme]);
    const rename = (name: string) =>
      client.query(`UPDATE triage.repos SET owner = '${name}' WHERE ${own} AND id = 'api'`);
    for (let i = 0; i < 3; i += 1) await rename(`before ${i}`);
    await client.query('SELECT triage.fold_counts()');
    await client.query(
      `CREATE TEMPORARY TABLE kept AS SELECT ${columns} FROM triage.pull_requests WHERE ${own}`,
    );
    await client.query(
      `BEGIN; DELETE FROM triage.pull_requests WHERE ${own};
       INSERT INTO triage.pull_requests (${columns}) SELECT ${columns} FROM kept; COMMIT`,
    );
    // Each knows the page of this moment, whatever the number of renames is later.
    const processes = Array.from({ length: 8 }, () => storageAt(t, url, { poolSize: 1 }));
    for (const storage of processes) await storage.prs(credentials, page)();
    // The deletions are folded first, and no row is left of the list.
    await client.query("SELECT triage.fold_tenant('acme', (SELECT count(*) FROM kept))");
    await client.query('SELECT triage.fold_counts()');
    for (const [i, storage] of processes.entries()) {
      await rename(`after ${i}`);
      t.deepEqual(
        await storage.prs(credentials, page)(),
        await storageAt(t, url, { poolSize: 1 }).prs(credentials, page)(),
        `rename ${i}`,
      );
    }
  });
});
