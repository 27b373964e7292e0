import test from 'ava';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import type pg from 'pg';
import { migrate } from '../../../src/storage/postgres/migrate.js';
import { migrationNames, schemaProblem, schemaState } from '../../../src/storage/postgres/schema-state.js';
import { aDraft, aPullRequest, aRepo, aScan, aUser, dataset } from '../../_data.js';
import { fill } from './_fill.js';
import { opened } from './_opened.js';
import { connected, withPostgres } from './_postgres.js';

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
    t.deepEqual(rows, [{ tablename: 'migrations' }, { tablename: 'pull_requests' }]);
  });
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
