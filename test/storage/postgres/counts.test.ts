import { setTimeout } from 'node:timers/promises';
import test from 'ava';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import type pg from 'pg';
import { singleConnection } from '../../../src/storage/postgres/connection.js';
import { foldCounts } from '../../../src/storage/postgres/fold-counts.js';
import { runs } from '../../_runs.js';
import { connected, withPostgres } from './_postgres.js';

const { database } = withPostgres(test);

/** What the API tells of every repository and of every tenant, from the counts. */
const told = `
  SELECT u.id AS user_id, '' AS repo_id, NULL AS last_scan, NULL AS open_draft, NULL AS open_advisories,
    triage.rows_in(u.id, 'findings', '', '') AS findings, triage.rows_in(u.id, 'prs', '', '') AS prs,
    triage.rows_in(u.id, 'prs', '', 'open') AS open_prs, triage.rows_in(u.id, 'prs', '', 'merged') AS merged_prs,
    triage.rows_in(u.id, 'prs', '', 'closed') AS closed_prs
  FROM triage.users u
  UNION ALL
  SELECT u.id, r.shown ->> 'id', r.shown -> 'lastScan' ->> 'id', r.shown ->> 'openFixDraftId',
    (r.shown ->> 'openAdvisoryCount')::bigint,
    triage.rows_in(u.id, 'findings', r.shown ->> 'id', ''), triage.rows_in(u.id, 'prs', r.shown ->> 'id', ''),
    (r.shown ->> 'openPrCount')::bigint, triage.rows_in(u.id, 'prs', r.shown ->> 'id', 'merged'),
    triage.rows_in(u.id, 'prs', r.shown ->> 'id', 'closed')
  FROM triage.users u CROSS JOIN LATERAL triage.repos_of(u.id) r
  ORDER BY 1, 2`;

const counts = `
    (SELECT count(*) FROM triage.fix_drafts d WHERE d.user_id = u.id AND %d),
    (SELECT count(*) FROM triage.pull_requests p WHERE p.user_id = u.id AND %p),
    (SELECT count(*) FROM triage.pull_requests p WHERE p.user_id = u.id AND %p AND p.pr_state = 'open'),
    (SELECT count(*) FROM triage.pull_requests p WHERE p.user_id = u.id AND %p AND p.pr_state = 'merged'),
    (SELECT count(*) FROM triage.pull_requests p WHERE p.user_id = u.id AND %p
      AND (p.pr_state IS NULL OR p.pr_state IN ('closed', 'cancelled')))`;

const countsOf = (draft: string, pullRequest: string): string =>
  counts.replaceAll('%d', draft).replaceAll('%p', pullRequest);

/** The same, counted from the rows. */
const counted = `
  SELECT u.id, '', NULL, NULL, NULL, ${countsOf('true', 'true')} FROM triage.users u
  UNION ALL
  SELECT u.id, r.id,
    (SELECT s.id FROM triage.scans s WHERE s.user_id = u.id AND s.repo_id = r.id
      ORDER BY s.started_at DESC, s.id DESC LIMIT 1),
    (SELECT p.draft_id FROM triage.pull_requests p WHERE p.user_id = u.id AND p.repo_id = r.id AND p.pr_state = 'open'
      ORDER BY p.updated_at DESC, p.id LIMIT 1),
    (SELECT count(DISTINCT d.advisory_id) FROM triage.fix_drafts d WHERE d.user_id = u.id AND d.repo_id = r.id
      AND d.status <> 'resolved'),
    ${countsOf('d.repo_id = r.id', 'p.repo_id = r.id')}
  FROM triage.users u JOIN triage.repos r ON r.user_id = u.id
  ORDER BY 1, 2`;

const rowsOf = async (client: pg.Client, text: string): Promise<readonly unknown[]> =>
  (await client.query({ text, rowMode: 'array' })).rows;

/** Marks after a few rows already, so that a test reaches what takes thousands of rows otherwise. */
const fewRowsPerMark = `
  CREATE OR REPLACE FUNCTION triage.rows_per_mark() RETURNS bigint LANGUAGE sql IMMUTABLE RETURN 3;
  CREATE OR REPLACE FUNCTION triage.most_rows_per_mark() RETURNS bigint LANGUAGE sql IMMUTABLE RETURN 5`;

/** Every list of a tenant: the query of its ids in order, and the call that reads a page of it. */
const lists = [
  {
    ids: `SELECT id FROM triage.fix_drafts WHERE user_id = $1 ORDER BY discovered_at DESC, id`,
    read: (skip: number) => `triage.read_findings($1, NULL, NULL, NULL, NULL, NULL, ${skip}, 4)`,
  },
  {
    ids: `SELECT id FROM triage.fix_drafts WHERE user_id = $1 AND repo_id = 'r1' ORDER BY discovered_at DESC, id`,
    read: (skip: number) => `triage.read_findings($1, NULL, NULL, NULL, NULL, 'r1', ${skip}, 4)`,
  },
  {
    ids: `SELECT id FROM triage.pull_requests WHERE user_id = $1 ORDER BY created_at DESC, id`,
    read: (skip: number) => `triage.read_prs($1, NULL, NULL, NULL, NULL, NULL, NULL, ${skip}, 4)`,
  },
  {
    ids: `SELECT id FROM triage.pull_requests WHERE user_id = $1 AND repo_id = 'r1' ORDER BY created_at DESC, id`,
    read: (skip: number) => `triage.read_prs($1, NULL, NULL, NULL, NULL, 'r1', NULL, ${skip}, 4)`,
  },
  {
    ids: `SELECT id FROM triage.pull_requests WHERE user_id = $1 AND pr_status = 'closed' ORDER BY created_at DESC, id`,
    read: (skip: number) => `triage.read_prs($1, NULL, NULL, NULL, NULL, NULL, 'closed', ${skip}, 4)`,
  },
  {
    ids: `SELECT id FROM triage.pull_requests WHERE user_id = $1 AND repo_id = 'r1' AND pr_status = 'open'
      ORDER BY created_at DESC, id`,
    read: (skip: number) => `triage.read_prs($1, NULL, NULL, NULL, NULL, 'r1', 'open', ${skip}, 4)`,
  },
];

/** Pages of every list that differ from a part of the whole list. */
const wrongPages = async (client: pg.Client, user: string): Promise<readonly string[]> => {
  const wrong: string[] = [];
  for (const { ids, read } of lists) {
    const all = (await client.query(ids, [user])).rows.map(({ id }) => String(id));
    for (let skip = 0; skip <= all.length + 1; skip += 1) {
      const page = await client.query(
        `SELECT x.total, ARRAY(SELECT e ->> 'id' FROM json_array_elements(x.rows) e) AS ids FROM ${read(skip)} x`,
        [user],
      );
      const expected = [String(all.length), all.slice(skip, skip + 4)];
      const found = [page.rows[0].total, page.rows[0].ids];
      if (JSON.stringify(found) !== JSON.stringify(expected))
        wrong.push(`${read(skip)}: ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`);
    }
  }
  return wrong;
};

/** Changes as other programs may make them: single rows, many rows, keys, cascades. */
const change = fc
  .tuple(fc.nat(23), fc.constantFrom('a', 'b'), fc.nat(5), fc.nat(5), fc.nat(3))
  .map(([kind, user, x, y, z]): string => {
    const state = ["'open'", "'merged'", 'NULL', "'draft'"][z] ?? 'NULL';
    const status = ['pending', 'drafting', 'escalated', 'resolved'][z];
    const own = `user_id = '${user}'`;
    const pr = (id: string): string =>
      `SELECT '${user}', '${id}', d.repo_id, d.id, '', '', '', false, '', '', '', ${state}, now(), now() FROM triage.fix_drafts d WHERE d.${own} AND d.id = 'd${y}'`;
    const columns =
      '(user_id, id, repo_id, draft_id, from_version, to_version, branch, has_codemod, codemod_summary, ci_status, pr_url, pr_state, created_at, updated_at)';
    return (
      [
        `INSERT INTO triage.repos VALUES ('${user}', 'r${x}', '', '', '', false, '', '') ON CONFLICT DO NOTHING`,
        `INSERT INTO triage.scans SELECT '${user}', 's${x}${y}', id, '2026-01-01'::timestamptz + ${z} * interval '1 day', now(), '', 0, 0, NULL FROM triage.repos WHERE ${own} AND id = 'r${y}' ON CONFLICT DO NOTHING`,
        `INSERT INTO triage.scans SELECT '${user}', 'm' || id || ${x}, id, '2026-01-01'::timestamptz + ${y} * interval '1 day', now(), '', 0, 0, NULL FROM triage.repos WHERE ${own} ON CONFLICT DO NOTHING`,
        `UPDATE triage.scans SET started_at = '2026-02-01'::timestamptz + ${y} * interval '1 day' WHERE ${own} AND id LIKE 's${x}%'`,
        `UPDATE triage.scans SET repo_id = (SELECT min(id) FROM triage.repos WHERE ${own}) WHERE ${own} AND id LIKE '%${x}'`,
        `DELETE FROM triage.scans WHERE ${own} AND id LIKE '%${x}'`,
        `INSERT INTO triage.fix_drafts SELECT '${user}', 'd${x}', id, 'A${z}', '', '', '', '', 'low', 0, 0, '${status}', '', now(), now(), NULL FROM triage.repos WHERE ${own} AND id = 'r${y}' ON CONFLICT DO NOTHING`,
        `INSERT INTO triage.fix_drafts SELECT '${user}', 'd' || n, id, 'A' || n % 3, '', '', '', '', 'low', 0, 0, '${status}', '', now(), now(), NULL FROM triage.repos, generate_series(${x}, ${x + y}) n WHERE ${own} AND id = 'r${z}' ON CONFLICT DO NOTHING`,
        `UPDATE triage.fix_drafts SET status = '${status}' WHERE ${own} AND id = 'd${x}'`,
        `UPDATE triage.fix_drafts SET status = '${status}', advisory_id = 'A${x % 3}' WHERE ${own}`,
        `UPDATE triage.fix_drafts SET repo_id = (SELECT max(id) FROM triage.repos WHERE ${own}) WHERE ${own} AND id = 'd${x}'`,
        `UPDATE triage.fix_drafts SET id = id || 'x' WHERE ${own} AND id = 'd${x}' AND NOT EXISTS (SELECT 1 FROM triage.fix_drafts WHERE ${own} AND id = 'd${x}x')`,
        `DELETE FROM triage.fix_drafts WHERE ${own} AND id = 'd${x}'`,
        `INSERT INTO triage.pull_requests ${columns} ${pr(`p${x}`)} ON CONFLICT DO NOTHING`,
        `INSERT INTO triage.pull_requests ${columns} ${pr(`q${x}${y}`)} ON CONFLICT DO NOTHING`,
        `UPDATE triage.pull_requests SET pr_state = ${state} WHERE ${own} AND id LIKE 'p${x}%'`,
        `UPDATE triage.pull_requests SET pr_state = ${state} WHERE ${own}`,
        `DELETE FROM triage.pull_requests WHERE ${own} AND id LIKE '%${x}'`,
        `DELETE FROM triage.repos WHERE ${own} AND id = 'r${x}'`,
        `UPDATE triage.fix_drafts SET package = 'p${z}', ci_status = 'c${x}' WHERE ${own} AND id = 'd${x}'`,
        `UPDATE triage.repos SET owner = 'o${z}' WHERE ${own} AND id = 'r${x}'`,
        `UPDATE triage.fix_drafts SET discovered_at = '2026-01-01'::timestamptz + ${z} * interval '1 day' WHERE ${own} AND id = 'd${x}'`,
        `UPDATE triage.pull_requests SET created_at = '2026-01-01' WHERE ${own} AND id LIKE 'p%'`,
        [
          'TRUNCATE triage.pull_requests',
          'TRUNCATE triage.scans',
          'TRUNCATE triage.fix_drafts CASCADE',
          'SELECT 1',
        ][z],
      ][kind] ?? 'SELECT 1'
    );
  });

/** Folds some changes, all of them, or none. */
const fold = fc.constantFrom(
  'SELECT 1',
  "SELECT triage.fold_tenant('a', 3)",
  "SELECT triage.fold_tenant('b', 1)",
  'SELECT triage.fold_counts()',
  "SELECT triage.recount('a')",
);

/** Two tenants without rows but for their repositories. */
const tenants = [
  ...['a', 'b'].flatMap((user) => [
    `INSERT INTO triage.users (id, email, email_key, name, password_hash) VALUES ('${user}', '${user}', '${user}', '', '')`,
    ...['r0', 'r1', 'r2'].map(
      (repo) => `INSERT INTO triage.repos VALUES ('${user}', '${repo}', '', '', '', false, '', '')`,
    ),
  ]),
];

test('after any change and any folding, counts equal what can be counted, and pages the parts of their list', async (t) => {
  const url = await database(t);
  await connected(url, async (client) => {
    await client.query(fewRowsPerMark);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(change, fold), { minLength: 10, maxLength: 50 }), async (steps) => {
        await client.query('BEGIN');
        try {
          for (const statement of tenants) await client.query(statement);
          for (const [statement, folding] of steps) {
            await client.query(statement);
            t.deepEqual(await rowsOf(client, told), await rowsOf(client, counted), statement);
            await client.query(folding);
            t.deepEqual(await rowsOf(client, told), await rowsOf(client, counted), folding);
          }
          t.deepEqual(await wrongPages(client, 'a'), []);
          await client.query('SELECT triage.fold_counts()');
          t.deepEqual(await wrongPages(client, 'a'), []);
        } finally {
          await client.query('ROLLBACK');
        }
      }),
      runs(25),
    );
  });
});

test('pages of a long list are right while rows come and go anywhere, many of them at the same time', async (t) => {
  const url = await database(t);
  await connected(url, async (client) => {
    await client.query(fewRowsPerMark);
    for (const statement of tenants) await client.query(statement);
    const add = (from: number, to: number, at: string): string =>
      `INSERT INTO triage.fix_drafts SELECT 'a', 'd' || lpad(i::text, 3, '0'), 'r' || i % 2, 'A', '', '', '', '', 'low', 0, 0, 'pending', '',
        ${at}, now(), NULL FROM generate_series(${from}, ${to}) i`;
    for (const step of [
      add(1, 60, "'2026-01-01'"),
      'SELECT triage.fold_counts()',
      add(100, 140, "'2026-01-01'::timestamptz + i * interval '1 hour'"),
      "DELETE FROM triage.fix_drafts WHERE id BETWEEN 'd010' AND 'd030'",
      "SELECT triage.fold_tenant('a', 20)",
      add(200, 230, "'2025-12-31'"),
      'SELECT triage.fold_counts()',
      "DELETE FROM triage.fix_drafts WHERE id < 'd120'",
      'SELECT triage.fold_counts()',
      "UPDATE triage.fix_drafts SET discovered_at = '2026-03-01'",
      "SELECT triage.recount('a')",
    ]) {
      await client.query(step);
      t.deepEqual(await wrongPages(client, 'a'), [], step);
    }
    t.true(Number((await client.query('SELECT count(*) FROM triage.marks')).rows[0].count) > 5);
    await client.query('DELETE FROM triage.fix_drafts; SELECT triage.fold_counts()');
    for (const table of ['changes', 'lists', 'marks', 'advisories']) {
      t.deepEqual(
        (await client.query(`SELECT * FROM triage.${table}`)).rows,
        [],
        `${table}: nothing is left`,
      );
    }
  });
});

test('writers of the same repositories neither wait for each other nor deadlock, and every snapshot is exact', async (t) => {
  const url = await database(t);
  await connected(url, async (client) => {
    await client.query(fewRowsPerMark);
    for (const statement of tenants) await client.query(statement);
  });
  let isOver = false;
  const writer = (n: number) =>
    connected(url, async (client) => {
      for (let i = 0; i < 25; i += 1) {
        const id = `${n}-${i}`;
        await client.query('BEGIN');
        for (const repo of n % 2 === 0 ? ['r0', 'r1'] : ['r1', 'r0']) {
          await client.query(
            `INSERT INTO triage.fix_drafts VALUES ('a', '${id}${repo}', '${repo}', 'A${i % 4}', '', '', '', '', 'low', 0, 0, 'pending', '',
              '2026-01-01'::timestamptz + ${i} * interval '1 day', now(), NULL)`,
          );
        }
        if (i % 3 === 0)
          await client.query(`UPDATE triage.fix_drafts SET status = 'resolved' WHERE id = '${id}r0'`);
        if (i % 5 === 0)
          await client.query(`UPDATE triage.fix_drafts SET repo_id = 'r2' WHERE id = '${id}r1'`);
        if (i % 4 === 0) await client.query(`DELETE FROM triage.fix_drafts WHERE id LIKE '${n}-${i - 1}r%'`);
        await client.query(i % 7 === 0 ? 'ROLLBACK' : 'COMMIT');
      }
    });
  const folder = connected(url, async (client) => {
    while (!isOver) {
      t.true(E.isRight(await foldCounts(singleConnection(client))()));
      await client.query("SELECT triage.recount('a')");
      await setTimeout(5);
    }
  });
  const observer = connected(url, async (client) => {
    let seen = 0;
    while (!isOver) {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      t.deepEqual(await rowsOf(client, told), await rowsOf(client, counted));
      await client.query('COMMIT');
      seen += 1;
    }
    return seen;
  });
  await Promise.all(Array.from({ length: 6 }, (_, n) => writer(n))).finally(() => {
    isOver = true;
  });
  await folder;
  t.true((await observer) > 0);
  await connected(url, async (client) => {
    t.deepEqual(await rowsOf(client, told), await rowsOf(client, counted));
    t.deepEqual(await wrongPages(client, 'a'), []);
  });
});

test('a writer is not kept waiting by another one that has not committed, whatever it wrote', async (t) => {
  const url = await database(t);
  await connected(url, async (one) => {
    for (const statement of tenants) await one.query(statement);
    const draft = (id: string): string =>
      `INSERT INTO triage.fix_drafts VALUES ('a', '${id}', 'r0', 'A', '', '', '', '', 'low', 0, 0, 'pending', '', now(), now(), NULL)`;
    await one.query(draft('d0'));
    await one.query('BEGIN');
    await one.query(draft('d1'));
    await one.query("UPDATE triage.fix_drafts SET status = 'resolved' WHERE id = 'd0'");
    await connected(url, async (other) => {
      await other.query("SET lock_timeout = '5s'");
      await other.query(draft('d2'));
      await other.query("DELETE FROM triage.fix_drafts WHERE id = 'd2'");
      await other.query('SELECT triage.fold_counts()');
      await other.query("SELECT triage.recount('a')");
      t.deepEqual(await rowsOf(other, told), await rowsOf(other, counted));
    });
    await one.query('COMMIT');
    t.deepEqual(await rowsOf(one, told), await rowsOf(one, counted));
  });
});

test('an update that counts for nothing writes no change', async (t) => {
  const url = await database(t);
  await connected(url, async (client) => {
    for (const statement of tenants) await client.query(statement);
    await client.query(
      `INSERT INTO triage.fix_drafts VALUES ('a', 'd', 'r0', 'A', '', '', '', '', 'low', 0, 0, 'pending', '', now(), now(), NULL)`,
    );
    await client.query('SELECT triage.fold_counts()');
    await client.query(
      "UPDATE triage.fix_drafts SET ci_status = 'passing', status = 'escalated', severity = 'high', updated_at = now()",
    );
    t.deepEqual((await client.query('SELECT * FROM triage.changes')).rows, []);
  });
});

test('rows written without triggers are told after a recount', async (t) => {
  const url = await database(t);
  await connected(url, async (client) => {
    for (const statement of tenants) await client.query(statement);
    await client.query('BEGIN');
    await client.query("SELECT set_config('triage.counts_itself', 'on', true)");
    await client.query(
      `INSERT INTO triage.fix_drafts VALUES ('a', 'd', 'r0', 'A', '', '', '', '', 'low', 0, 0, 'pending', '', now(), now(), NULL)`,
    );
    await client.query('COMMIT');
    t.notDeepEqual(await rowsOf(client, told), await rowsOf(client, counted));
    await client.query("SELECT triage.recount('a')");
    t.deepEqual(await rowsOf(client, told), await rowsOf(client, counted));
  });
});

test('TRUNCATE takes READ COMMITTED: an older snapshot would leave counts behind', async (t) => {
  const url = await database(t);
  await connected(url, async (client) => {
    for (const level of ['REPEATABLE READ', 'SERIALIZABLE']) {
      await client.query(`BEGIN ISOLATION LEVEL ${level}`);
      await t.throwsAsync(client.query('TRUNCATE triage.pull_requests'), { code: '0A000' });
      await client.query('ROLLBACK');
    }
  });
});
