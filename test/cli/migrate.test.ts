import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import pg from 'pg';
import { projectWith } from '../_package.js';
import { connected, nameOf, withPostgres } from '../postgres/_postgres.js';
import { aRolePrefix, dropLater, memberOf, roleNames } from '../postgres/_role.js';
import { listenProgram, run, start, unhurried } from './_cli.js';

const { database, emptyDatabase } = withPostgres(test);

const rolesOf = (prefix: string): readonly string[] => Object.values(roleNames(prefix));

test('--check changes nothing, and fails while a migration is missing', async (t) => {
  const url = await emptyDatabase(t);
  const before = await run(['db', 'migrate', '--check', '--database-url', url]);
  t.deepEqual([before.code, before.out], [1, '']);
  t.regex(
    before.err,
    /older than this version .*\(not applied: 0001_schema\b.*\); run: triage-api db migrate\n$/,
  );
  const { rows } = await connected(url, (client) =>
    client.query("SELECT to_regnamespace('triage') AS schema"),
  );
  t.deepEqual(rows, [{ schema: null }]);

  const prefix = aRolePrefix();
  dropLater(t, url, rolesOf(prefix));
  t.is((await run(['db', 'migrate', '--roles', '--role-prefix', prefix, '--database-url', url])).code, 0);
  const reader = await memberOf(t, url, `${prefix}_read`);
  const current = await run(['db', 'migrate'], { TRIAGE_DATABASE_URL: reader, TRIAGE_CHECK: 'yes' });
  t.deepEqual(
    [current.code, current.out, current.err],
    [0, `${nameOf(url)}: the schema is up to date\n`, ''],
  );
});

test('--roles says what it does and how to go on, and prints no secret', async (t) => {
  const url = await emptyDatabase(t);
  const prefix = aRolePrefix();
  dropLater(t, url, rolesOf(prefix));
  const first = await run(['db', 'migrate', '--roles', '--role-prefix', prefix, '--database-url', url]);
  t.is(first.code, 0, first.err);
  for (const name of rolesOf(prefix)) t.true(first.out.includes(`created the role ${name}, `), name);
  for (const right of ['to create temporary tables and schemas', 'to create large objects'])
    t.true(first.out.includes(`took the right ${right} in this database from PUBLIC\n`), right);
  t.true(first.out.includes('applied 0001_schema\n'));
  const statement = `CREATE ROLE app LOGIN IN ROLE ${prefix}_serve;`;
  t.true(first.out.includes(`${nameOf(url)}: the schema is up to date\n`));
  t.true(first.out.includes(`\n  ${statement}\n`));
  t.notRegex(first.out, /PASSWORD '/i);
});

test('a migration that waits for a lock says so, and goes on when it is free', async (t) => {
  const url = await database(t);
  const prefix = aRolePrefix();
  dropLater(t, url, rolesOf(prefix));
  const report = new pg.Client({ connectionString: url });
  await report.connect();
  t.teardown(() => report.end());
  await report.query('BEGIN; SELECT count(*) FROM triage.scans');
  const migration = start([
    ...['db', 'migrate', '--roles', '--role-prefix', prefix],
    ...['--lock-timeout', '300', '--database-url', url],
  ]);
  await migration.until(() =>
    migration.err().includes('roles: no lock within 300 ms; trying again in a second\n'),
  );
  await report.query('COMMIT');
  const { code, err } = await migration.finished;
  t.is(code, 0, err);
});

test('an upgrade in place leaves a running server ready: what its database needs was read at its start', async (t) => {
  const url = await database(t);
  const program = join(await projectWith(t, {}), 'node_modules', 'triage-api');
  const words = [join(program, 'bin/triage-api.js'), 'serve', '--port', '0', '--database-url', url];
  const server = await listenProgram(t, { file: process.execPath, words, env: unhurried });
  await writeFile(join(program, 'build/assets/migrations/0002_later.sql'), 'SELECT 1');
  t.is((await fetch(`${server.url}/readyz`)).status, 200);
});
