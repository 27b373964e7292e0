import { inspect } from 'node:util';
import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import { ApiTokenRecord, SessionRecord, UserRecord } from '../../src/accounts/account-records.js';
import { FixDraftRecord, PullRequestRecord, RepoRecord, ScanRecord } from '../../src/api/row-records.js';
import type { Dataset } from '../../src/fixtures/dataset.js';
import { importInto } from '../../src/postgres/tenants.js';
import { firstPage, resultOf } from '../../src/storage-kit/conformance/conformance-case.js';
import {
  aDraft,
  aPullRequest,
  aRepo,
  aScan,
  aSession,
  aToken,
  aUser,
  dataset,
  newSession,
} from '../_data.js';
import { bySession } from '../_storage.js';
import { connected, fill, storageAt, tenantsFrom, withPostgres } from './_postgres.js';

const { database, filled } = withPostgres(test);

const records: Readonly<Record<string, t.Props>> = {
  users: UserRecord.type.props,
  sessions: SessionRecord.type.props,
  api_tokens: ApiTokenRecord.type.props,
  repos: RepoRecord.props,
  scans: ScanRecord.props,
  fix_drafts: FixDraftRecord.props,
  pull_requests: PullRequestRecord.props,
};

/** Columns that no record has a property for, or whose form the codec alone checks. */
const others: readonly string[] = [
  ...['users.email_key', 'users.password_hash', 'sessions.origin'],
  // The id of a user, by its foreign key.
  ...['sessions.user_id', 'api_tokens.user_id'],
];

/** A character that takes two units in JavaScript and four bytes in UTF-8: lengths count it once. */
const character = '😀';
const lengths = [0, 1, 200, 201, 254, 255, 100_000, 100_001];

/** A tenant of every kind of row, with these ids of its user, repository, draft, pull request and scan. */
const worldOf = (user: string, repo: string, draft: string, pr: string, scan: string): Dataset =>
  dataset({
    user: { ...aUser('u'), id: user },
    sessions: [aSession('s')],
    apiTokens: [aToken('k')],
    repos: [aRepo(repo), aRepo('s')],
    scans: [aScan(scan, repo)],
    fixDrafts: [aDraft(draft, repo)],
    pullRequests: [aPullRequest(pr, draft, { prState: 'open' })],
  });
const world = worldOf('u', 'r', 'd', 'p', 'c');

test('every column of text takes exactly the lengths that its codec takes', async (t) => {
  await connected(await filled(t, world), async (client) => {
    const { rows } = await client.query(
      `SELECT table_name, column_name FROM information_schema.columns
       WHERE table_schema = 'triage' AND data_type = 'text' AND is_generated = 'NEVER' AND table_name <> 'migrations'`,
    );
    let compared = 0;
    for (const { table_name: table, column_name: column } of rows) {
      if (others.includes(`${table}.${column}`)) continue;
      const property = String(column).replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
      // Rows belong to a user, and the repository of a pull request is that of its draft.
      const codec =
        property === 'userId'
          ? UserRecord.type.props.id
          : (records[table]?.[property] ?? FixDraftRecord.props.repoId);
      for (const length of lengths) {
        const what = `${table}.${column}, ${length}`;
        const isEmail = column === 'email';
        const text = isEmail ? `${character.repeat(Math.max(0, length - 2))}@x` : character.repeat(length);
        await client.query('BEGIN');
        const update = client.query(`UPDATE triage.${table} SET ${column} = $1`, [text]);
        const failure = await update.then(
          () => null,
          (error: unknown) => Object(error).code,
        );
        await client.query('ROLLBACK');
        // What violates a key has passed the checks of its column.
        const isAccepted = [null, '23503', '23505'].includes(failure);
        if (!isAccepted) t.is(failure, '23514', what);
        if (!isEmail || length > 2) t.is(isAccepted, codec.is(text), what);
        compared += 1;
      }
    }
    t.true(compared >= 40 * lengths.length, String(compared));
  });
});

test('the longest ids that there can be fit into every index', async (t) => {
  // No two characters alike in a row, so that an index cannot compress them.
  const id = (first: number): string =>
    String.fromCodePoint(...Array.from({ length: 200 }, (_, i) => 0x10000 + ((first + i * 7919) % 0xfffff)));
  const [user, repo, draft, pr, scan] = [id(1), id(2), id(3), id(4), id(5)];
  await connected(await filled(t, worldOf(user, repo, draft, pr, scan)), async (client) => {
    const { rows } = await client.query('SELECT id, user_id, pr_status FROM triage.pull_requests');
    t.deepEqual(rows, [{ id: pr, user_id: user, pr_status: 'open' }]);
  });
});

test('the tables refuse what the record codecs refuse', async (t) => {
  await connected(await filled(t, world), async (client) => {
    for (const statement of [
      "UPDATE triage.fix_drafts SET severity = 'moderate'",
      "UPDATE triage.fix_drafts SET reachability = 'NaN'",
      "UPDATE triage.fix_drafts SET repo_id = 'nope'",
      "UPDATE triage.fix_drafts SET discovered_at = '10000-01-01'",
      'UPDATE triage.scans SET findings_seen = 9007199254740992',
      'UPDATE triage.scans SET findings_seen = -1',
      "UPDATE triage.repos SET id = ''",
      "UPDATE triage.pull_requests SET draft_id = 'nope'",
      "UPDATE triage.pull_requests SET repo_id = 's'",
      "INSERT INTO triage.repos SELECT 'nobody', 'x', '', '', '', false, '', ''",
      "INSERT INTO triage.sessions VALUES ('u', 'x', 'not a hash', now(), now())",
    ]) {
      const refused = await t.throwsAsync(client.query(statement), undefined, statement);
      t.regex(Object(refused).code, /^23/, statement);
    }
  });
});

const tenantOf = (id: string, drafts: number, over = {}): Dataset =>
  dataset({
    user: { ...aUser(id), ...over },
    sessions: [aSession(id)],
    repos: [aRepo('r')],
    fixDrafts: Array.from({ length: drafts }, (_, i) => aDraft(`d${i}`, 'r')),
  });

test('rows are written in batches, and the tables are vacuumed and analyzed at the end', async (t) => {
  const url = await database(t);
  // Pages count as visible once the commit of their rows is on disk, for which tests do not wait otherwise.
  const waiting = `${url}?options=-c%20synchronous_commit%3Don`;
  const progress: number[] = [];
  const onProgress = (_: unknown, rows: number) => progress.push(rows);
  const source = tenantsFrom([tenantOf('u', 2500)]);
  t.is(await resultOf(importInto(waiting, source, { replace: false, onProgress })), 1);
  t.deepEqual(progress, [0, 1, 1001, 2001, 2501]);
  await connected(url, async (client) => {
    const { rows } = await client.query(
      "SELECT reltuples, relallvisible > 0 AS visible FROM pg_class WHERE oid = 'triage.fix_drafts'::regclass",
    );
    t.deepEqual(rows, [{ reltuples: 2500, visible: true }]);
  });
});

test('until a replacement is complete its tenants are the old ones and log in; their sessions end with it', async (t) => {
  const url = await database(t);
  await connected(url, (client) => fill(client, [tenantOf('u', 3), tenantOf('same-address', 1)]));
  const storage = storageAt(t, url);
  /** How many findings each session finds; none if it is not valid. */
  const totals = async (): Promise<readonly unknown[]> => {
    const all = ['u', 'same-address', 'other'].map((id) => storage.findings(bySession(id), firstPage));
    return (await Promise.all(all)).map((found) =>
      E.isRight(found) && 'rows' in found.right ? found.right.rows.total : 'none',
    );
  };
  const logins = ['u', 'same-address'].map((id) => newSession(id, `login of ${id}`));
  const areIn = (): Promise<readonly boolean[]> =>
    Promise.all(
      logins.map(async ({ userId }) => E.isRight(await storage.caller(bySession(`login of ${userId}`)))),
    );
  async function* source(): Parameters<typeof importInto>[1] {
    // One has the id of an existing tenant, the other one's address belongs to another.
    yield* tenantsFrom([tenantOf('u', 5), tenantOf('other', 7, { email: 'same-address@test.test' })]);
    t.deepEqual(await totals(), [3, 1, 'none']);
    // The import goes on when the logins are done.
    for (const session of logins) await resultOf(storage.startSession(session, null));
    t.deepEqual(await areIn(), [true, true]);
  }
  t.is(await resultOf(importInto(url, source(), { replace: true, onProgress: () => {} })), 2);
  t.deepEqual(await totals(), [5, 'none', 7]);
  t.deepEqual(await areIn(), [false, false]);
});

test('an import waits for a lock with a limit: any role can take that of imports', async (t) => {
  const url = await database(t);
  await connected(url, async (holder) => {
    await holder.query("SELECT pg_advisory_lock(hashtext('triage-api: fixtures'))");
    const options = { replace: false, onProgress: () => {}, lockTimeout: 1 };
    const failed = await importInto(url, tenantsFrom([tenantOf('u', 1)]), options);
    t.regex(inspect(failed), /StorageUnavailable.*lock timeout/s);
  });
});
