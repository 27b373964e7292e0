import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { migrate } from '../../../src/storage/postgres/migrate.js';
import { migrationNames, schemaProblem, schemaState } from '../../../src/storage/postgres/schema.js';
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
      'UPDATE triage.scans SET findings_seen = -1',
      'UPDATE triage.scans SET drafts_opened = -1',
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
