import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type pg from 'pg';
import { databaseOwner } from '../../../src/cli/serve/foreign-database.js';
import { resultOf } from '../../../src/storage/conformance/assertions.js';
import { newAccount } from '../../../src/storage/conformance/new-records.js';
import { acme } from '../../../src/storage/conformance/sample-tenants.js';
import { singleConnection } from '../../../src/storage/postgres/database.js';
import { migrate } from '../../../src/storage/postgres/migrate.js';
import { migrationNames, schemaProblem, schemaState } from '../../../src/storage/postgres/schema.js';
import { bySession } from '../../_storage.js';
import { aColumn, folderWith } from './_migrations.js';
import { connected, fill, opened, storageAt, withPostgres } from './_postgres.js';
import { loginOf } from './_role.js';

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

test('when a later migration fails, those before it are not applied either', async (t) => {
  const wrong = { ...aColumn, '0003_wrong': "UPDATE triage.repos SET note = 'x'; SELECT 1 / 0;" };
  const folder = await folderWith(t, wrong);
  const names = await migrationNames(folder);
  const failing = async (client: pg.Client): Promise<void> => {
    const left = await migrate(client, { folder })();
    t.true(E.isLeft(left) && left.left._tag === 'StorageFailed');
    t.regex(String(E.isLeft(left) && Object(left.left).cause), /0003_wrong: division by zero/);
  };
  await connected(await emptyDatabase(t), async (client) => {
    await failing(client);
    t.deepEqual((await client.query("SELECT to_regnamespace('triage') AS schema")).rows, [{ schema: null }]);
    await writeFile(join(folder, '0003_wrong.sql'), 'SELECT 1;');
    t.deepEqual(await migrate(client, { folder })(), E.right(names));
  });
  await writeFile(join(folder, '0003_wrong.sql'), wrong['0003_wrong']);
  await connected(await database(t), async (client) => {
    await failing(client);
    t.deepEqual(await schemaState(singleConnection(client))(), E.right({ _tag: 'Current' }));
    await t.throwsAsync(client.query('SELECT note FROM triage.repos'), { code: '42703' });
  });
});

test('a later migration is missing until it is applied, and this version works with it', async (t) => {
  const url = await database(t);
  const folder = await folderWith(t, aColumn);
  const state = (names?: () => Promise<readonly string[]>) =>
    connected(url, (client) => schemaState(singleConnection(client), names)());
  const ofLater = () => state(() => migrationNames(folder));
  t.deepEqual(await ofLater(), E.right({ _tag: 'Older', missing: ['0002_note'] }));
  await connected(url, async (client) => {
    t.deepEqual(await migrate(client, { folder })(), E.right(['0002_note']));
    t.deepEqual(await migrate(client, { folder })(), E.right([]));
    await fill(client, [acme]);
  });
  t.deepEqual(await ofLater(), E.right({ _tag: 'Current' }));
  t.deepEqual(await state(), E.right({ _tag: 'Newer', unknown: ['0002_note'] }));
  const storage = storageAt(t, url);
  await resultOf(storage.signUp(await newAccount('new'), null));
  t.is((await resultOf(storage.repos(bySession('acme-cookie')))).length, acme.repos.length);
  t.deepEqual(await storage.ready()(), E.right({ _tag: 'SchemaNewer', unknown: ['0002_note'] }));
});

test('a database with the tables of a version before the first release is refused', async (t) => {
  const url = await emptyDatabase(t);
  const reason =
    /version before the first release, which cannot be migrated; use an empty database, or remove/;
  await connected(url, async (client) => {
    await client.query(`
      CREATE SCHEMA triage;
      CREATE TABLE triage.migrations (id serial, name text NOT NULL, run_on timestamp NOT NULL);
      CREATE TABLE triage.fix_drafts ();
      INSERT INTO triage.migrations (name, run_on) VALUES ('0001_tables', now()), ('0002_reading', now())`);
    const refused = await migrate(client)();
    t.true(E.isLeft(refused) && refused.left._tag === 'UnsuitableDatabase');
    t.regex(JSON.stringify(refused), reason);
    const { rows } = await client.query('SELECT count(*)::int AS count FROM triage.migrations');
    t.deepEqual(rows, [{ count: 2 }], 'nothing has changed');
    const checked = await resultOf(schemaState(singleConnection(client)));
    t.regex(String(schemaProblem(checked)), reason);
    t.deepEqual(await databaseOwner(singleConnection(client))(), E.right({ _tag: 'TriageApi' }));
  });
  const ready = await storageAt(t, url).ready()();
  t.true(E.isLeft(ready) && ready.left._tag === 'StorageFailed');
  t.regex(String(E.isLeft(ready) && Object(ready.left).cause), reason);
});

test('whoever may read the table of migrations may find that there is nothing to do', async (t) => {
  const url = await database(t);
  const reader = await loginOf(t, url);
  const once = () => connected(reader.url, (client) => migrate(client)());
  t.true(E.isLeft(await once()));
  await connected(url, (client) =>
    client.query(
      `GRANT USAGE ON SCHEMA triage TO ${reader.name}; GRANT SELECT ON triage.migrations TO ${reader.name}`,
    ),
  );
  t.deepEqual(await once(), E.right([]));
});

test('a missing, older or newer schema is reported with the command to run', async (t) => {
  const state = async (url: string) => {
    const looked = await schemaState(opened(t, url))();
    return E.isRight(looked) ? schemaProblem(looked.right) : looked.left;
  };
  t.regex(String(await state(await emptyDatabase(t))), /older .*0001_schema.*run: triage-api migrate/);
  const url = await database(t);
  t.is(await state(url), null);
  await connected(url, (client) => client.query('DELETE FROM triage.migrations '));
  t.regex(String(await state(url)), /older .*\(not applied: 0001_schema\)/);
  await connected(url, (client) =>
    client.query("INSERT INTO triage.migrations (name) VALUES ('9999_later')"),
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
