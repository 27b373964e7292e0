import test from 'ava';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import type pg from 'pg';
import { migrate } from '../../../src/storage/postgres/migrate.js';
import { migrationNames, schemaProblem, schemaState } from '../../../src/storage/postgres/schema-state.js';
import { aDraft, aPullRequest, aRepo, aScan, aUser, dataset } from '../../_data.js';
import { fill } from './_fill.js';
import { opened } from './_opened.js';
import { connected, urlWith, withPostgres } from './_postgres.js';
import { aRolePrefix, dropLater } from './_role.js';

const { database, emptyDatabase } = withPostgres(test);

test('of concurrent migrations one does the work, and later ones find nothing to do', async (t) => {
  const url = await emptyDatabase(t);
  const once = () => connected(url, (client) => migrate(client)());
  const names = await migrationNames();
  t.true(names.length > 0);
  const results = await Promise.all([once(), once(), once()]);
  t.deepEqual(
    results.map((result) => (E.isRight(result) ? result.right : [])).sort((l, r) => l.length - r.length),
    [[], [], names],
  );
  t.deepEqual(await once(), E.right([]));
});

test('a failed migration changes nothing', async (t) => {
  const url = await emptyDatabase(t);
  await connected(url, async (client) => {
    await client.query('CREATE SCHEMA triage; CREATE TABLE triage.pull_requests ()');
    t.true(E.isLeft(await migrate(client)()));
  });
  await connected(url, async (client) => {
    const { rows } = await client.query(
      "SELECT tablename FROM pg_tables WHERE schemaname = 'triage' ORDER BY 1",
    );
    t.deepEqual(rows, [{ tablename: 'pull_requests' }]);
  });
});

test('when a later migration fails, those before it are not applied either', async (t) => {
  const url = await emptyDatabase(t);
  const left = await connected(url, async (client) => {
    // The third migration creates a function of this name.
    await client.query(
      "CREATE SCHEMA triage; CREATE FUNCTION triage.ask_for(caller text) RETURNS int LANGUAGE sql AS 'SELECT 1'",
    );
    return migrate(client)();
  });
  t.true(E.isLeft(left) && left.left._tag === 'StorageFailed');
  t.regex(
    String(E.isLeft(left) && Object(left.left).cause),
    /0003_reading: function "ask_for" already exists/,
  );
  await connected(url, async (client) => {
    const { rows } = await client.query(
      "SELECT relname FROM pg_class WHERE relnamespace = 'triage'::regnamespace",
    );
    t.deepEqual(rows, []);
    await client.query('DROP FUNCTION triage.ask_for');
    t.deepEqual(await migrate(client)(), E.right(await migrationNames()));
  });
});

test('whoever may read the table of migrations may find that there is nothing to do', async (t) => {
  const url = await database(t);
  const name = aRolePrefix();
  dropLater(t, url, [name]);
  await connected(url, (client) => client.query(`CREATE ROLE ${name} LOGIN PASSWORD 'secret'`));
  const once = () =>
    connected(urlWith(url, { username: name, password: 'secret' }), (client) => migrate(client)());
  t.true(E.isLeft(await once()));
  await connected(url, (client) =>
    client.query(`GRANT USAGE ON SCHEMA triage TO ${name}; GRANT SELECT ON triage.migrations TO ${name}`),
  );
  t.deepEqual(await once(), E.right([]));
});

test('a missing, older or newer schema is reported with the command to run', async (t) => {
  const state = async (url: string) => {
    const looked = await schemaState(opened(t, url))();
    return E.isRight(looked) ? schemaProblem(looked.right) : looked.left;
  };
  t.regex(String(await state(await emptyDatabase(t))), /older .*0001_tables.*run: triage-api migrate/);
  const url = await database(t);
  t.is(await state(url), null);
  await connected(url, (client) => client.query("DELETE FROM triage.migrations WHERE name LIKE '0004%'"));
  t.regex(String(await state(url)), /older .*\(not applied: 0004_accounts\)/);
  await connected(url, (client) =>
    client.query("INSERT INTO triage.migrations (name, run_on) VALUES ('9999_later', now())"),
  );
  t.regex(String(await state(url)), /newer .*9999_later/);
  const refused = await connected(url, (client) => migrate(client)());
  t.true(E.isLeft(refused) && refused.left._tag === 'UnsuitableDatabase');
});

test('a database in another encoding is refused', async (t) => {
  const url = await emptyDatabase(t, "TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'");
  const refused = await connected(url, (client) => migrate(client)());
  t.deepEqual(
    refused,
    E.left({ _tag: 'UnsuitableDatabase', reason: 'the encoding of the database is LATIN1; it must be UTF8' }),
  );
});

const world = dataset({
  user: aUser('u'),
  repos: [aRepo('r'), aRepo('s')],
  scans: [aScan('s1', 'r')],
  fixDrafts: [aDraft('d', 'r')],
  pullRequests: [aPullRequest('p', 'd')],
});

test('the tables refuse what the record codecs refuse', async (t) => {
  const url = await database(t);
  await connected(url, async (client) => {
    await fill(client, [world]);
    for (const statement of [
      "UPDATE triage.fix_drafts SET severity = 'moderate'",
      "UPDATE triage.fix_drafts SET status = 'Pending'",
      "UPDATE triage.fix_drafts SET reachability = 'NaN'",
      "UPDATE triage.fix_drafts SET exploit_signal = 'Infinity'",
      "UPDATE triage.fix_drafts SET repo_id = 'nope'",
      "UPDATE triage.fix_drafts SET discovered_at = 'infinity'",
      "UPDATE triage.fix_drafts SET discovered_at = '10000-01-01'",
      'UPDATE triage.scans SET findings_seen = 9007199254740992',
      "UPDATE triage.repos SET id = ''",
      "UPDATE triage.repos SET id = repeat('x', 201)",
      "UPDATE triage.pull_requests SET draft_id = 'nope'",
      "UPDATE triage.pull_requests SET repo_id = 's'",
      "INSERT INTO triage.repos SELECT 'nobody', 'x', '', '', '', false, '', ''",
      "INSERT INTO triage.sessions VALUES ('u', 'x', 'not a hash', now(), now())",
    ]) {
      await t.throwsAsync(client.query(statement), undefined, statement);
    }
  });
});

/** What the triggers should have stored, counted from the rows. */
const recounted = `
  SELECT r.user_id, r.id AS repo_id,
    (SELECT started_at FROM triage.scans s WHERE s.user_id = r.user_id AND s.repo_id = r.id
      ORDER BY started_at DESC, id DESC LIMIT 1) AS last_scan_at,
    (SELECT id FROM triage.scans s WHERE s.user_id = r.user_id AND s.repo_id = r.id
      ORDER BY started_at DESC, id DESC LIMIT 1) AS last_scan_id,
    (SELECT count(*) FROM triage.fix_drafts d WHERE d.user_id = r.user_id AND d.repo_id = r.id) AS findings,
    (SELECT count(*) FROM triage.pull_requests p WHERE p.user_id = r.user_id AND p.repo_id = r.id) AS prs,
    (SELECT count(*) FROM triage.pull_requests p WHERE p.user_id = r.user_id AND p.repo_id = r.id
      AND p.pr_state = 'open') AS open_prs,
    (SELECT count(*) FROM triage.pull_requests p WHERE p.user_id = r.user_id AND p.repo_id = r.id
      AND p.pr_state = 'merged') AS merged_prs,
    (SELECT count(*) FROM triage.pull_requests p WHERE p.user_id = r.user_id AND p.repo_id = r.id
      AND (p.pr_state IS NULL OR p.pr_state IN ('closed', 'cancelled'))) AS closed_prs,
    (SELECT count(DISTINCT advisory_id) FROM triage.fix_drafts d WHERE d.user_id = r.user_id AND d.repo_id = r.id
      AND d.status <> 'resolved') AS open_advisories
  FROM triage.repos r ORDER BY 1, 2`;

const kept = 'SELECT * FROM triage.repo_facts ORDER BY user_id, repo_id';

/** Changes as other programs may make them: single rows, many rows, keys, cascades. */
const change = fc
  .tuple(fc.nat(19), fc.constantFrom('a', 'b'), fc.nat(5), fc.nat(5), fc.nat(3))
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
        [
          'TRUNCATE triage.pull_requests',
          'TRUNCATE triage.scans',
          'TRUNCATE triage.fix_drafts CASCADE',
          'SELECT 1',
        ][z],
      ][kind] ?? 'SELECT 1'
    );
  });

/** Polls until a session waits for a lock. */
const untilBlocked = async (observer: pg.Client, pid: unknown): Promise<void> => {
  const waits = "SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND wait_event_type = 'Lock'";
  while ((await observer.query(waits, [pid])).rows.length === 0) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

const recount = async (client: pg.Client) => [
  (await client.query(kept)).rows,
  (await client.query(recounted)).rows,
];

test('after any change of rows, the stored details of a repository equal a fresh count', async (t) => {
  const url = await database(t);
  await connected(url, async (client) => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 10, maxLength: 60 }), async (changes) => {
        await client.query('BEGIN');
        try {
          for (const user of ['a', 'b']) {
            await client.query("INSERT INTO triage.users SELECT $1::text, $1::text, $1::text, '', ''", [
              user,
            ]);
            for (const repo of ['r0', 'r1', 'r2']) {
              await client.query(
                "INSERT INTO triage.repos SELECT $1::text, $2::text, '', '', '', false, '', ''",
                [user, repo],
              );
            }
          }
          for (const statement of changes) {
            await client.query(statement);
            const [stored, counted] = await recount(client);
            t.deepEqual(stored, counted, statement);
          }
        } finally {
          await client.query('ROLLBACK');
        }
      }),
      { numRuns: 30 },
    );
  });
});

test('concurrent writers leave correct counts and do not deadlock', async (t) => {
  const url = await database(t);
  await connected(url, async (client) =>
    fill(client, [dataset({ user: aUser('u'), repos: [aRepo('r'), aRepo('s')] })]),
  );
  const writers = Array.from({ length: 6 }, (_, writer) =>
    connected(url, async (client) => {
      for (let i = 0; i < 15; i += 1) {
        const repos = writer % 2 === 0 ? ['r', 's'] : ['s', 'r'];
        const drafts = repos.map((repo, n) =>
          aDraft(`${writer}-${i}-${n}`, repo, { advisoryId: `A${i % 4}` }),
        );
        const prs = drafts.map(({ id }) => aPullRequest(`p${id}`, String(id)));
        await client.query('SELECT triage.add_rows($1, $2)', [
          'u',
          JSON.stringify({ fixDrafts: drafts, pullRequests: prs }),
        ]);
        if (i % 3 === 0)
          await client.query('DELETE FROM triage.fix_drafts WHERE id LIKE $1', [`${writer}-${i}-%`]);
      }
    }),
  );
  await Promise.all(writers);
  await connected(url, async (client) => {
    const [stored, counted] = await recount(client);
    t.deepEqual(stored, counted);
    t.is(Number(stored?.[0].findings), 6 * 10);
  });
});

test('concurrent inserts and deletes of scans leave the correct last scan', async (t) => {
  const url = await database(t);
  const scan = (id: string, startedAt: string): string =>
    `INSERT INTO triage.scans VALUES ('u', '${id}', 'r', '${startedAt}', '${startedAt}', '', 0, 0, NULL)`;
  for (const [name, before, first, second] of [
    ['an older one waits for a newer one', '', scan('new', '2026-06-01'), scan('old', '2026-01-01')],
    [
      'the last scan is deleted while an older one is inserted',
      scan('gone', '2026-08-01'),
      scan('new', '2026-06-01'),
      "DELETE FROM triage.scans WHERE id = 'gone'",
    ],
  ] as const) {
    await connected(url, async (one) =>
      connected(url, async (other) => {
        await one.query('TRUNCATE triage.users CASCADE');
        await fill(one, [dataset({ user: aUser('u'), repos: [aRepo('r')] })]);
        if (before !== '') await one.query(before);
        await one.query('BEGIN');
        await one.query(first);
        const { rows: session } = await other.query('SELECT pg_backend_pid() AS pid');
        const waiting = other.query(second);
        await connected(url, (observer) => Promise.race([waiting, untilBlocked(observer, session[0].pid)]));
        await one.query('COMMIT');
        await waiting;
        const { rows } = await one.query('SELECT last_scan_id FROM triage.repo_facts');
        t.deepEqual(rows, [{ last_scan_id: 'new' }], name);
      }),
    );
  }
});

test('moving drafts between two repositories in both directions at once does not deadlock', async (t) => {
  const url = await database(t);
  await connected(url, (client) =>
    fill(client, [
      dataset({
        user: aUser('u'),
        repos: [aRepo('r'), aRepo('s')],
        fixDrafts: [aDraft('a', 'r'), aDraft('b', 's')],
        pullRequests: [aPullRequest('p', 'a'), aPullRequest('q', 'b')],
      }),
    ]),
  );
  await Promise.all(
    ['a', 'b'].map((id) =>
      connected(url, async (client) => {
        for (let i = 0; i < 60; i += 1) {
          await client.query(
            "UPDATE triage.fix_drafts SET repo_id = CASE repo_id WHEN 'r' THEN 's' ELSE 'r' END WHERE id = $1",
            [id],
          );
        }
      }),
    ),
  );
  await connected(url, async (client) => {
    const [stored, counted] = await recount(client);
    t.deepEqual(stored, counted);
  });
});
