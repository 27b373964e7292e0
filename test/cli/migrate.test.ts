import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { projectWith } from '../_package.js';
import { connected, nameOf, withPostgres } from '../postgres/_postgres.js';
import { aRolePrefix, dropLater, memberOf, roleNames } from '../postgres/_role.js';
import { listenProgram, run, start, unhurried } from './_cli.js';

const { database, emptyDatabase } = withPostgres(test);

/** The words that set up roles of a database, and the prefix of their names. */
const settingUp = (t: ExecutionContext, url: string) => {
  const prefix = aRolePrefix();
  dropLater(t, url, Object.values(roleNames(prefix)));
  return { prefix, words: ['db', 'migrate', '--roles', '--role-prefix', prefix, '--database-url', url] };
};

test('--check changes nothing, and fails while a migration is missing; the right to read is enough for it', async (t) => {
  const url = await emptyDatabase(t);
  const before = await run(['db', 'migrate', '--check', '--database-url', url]);
  t.deepEqual([before.code, before.out], [1, '']);
  t.regex(
    before.err,
    /older than this version .*\(not applied: 0001_schema\b.*\); run: triage-api db migrate\n$/,
  );
  const schema = "SELECT to_regnamespace('triage') AS schema";
  t.deepEqual(await connected(url, async (client) => (await client.query(schema)).rows), [{ schema: null }]);

  const { prefix, words } = settingUp(t, url);
  const { code, out, err } = await run(words);
  t.is(code, 0, err);
  t.regex(
    out,
    /^took the right to create large objects in this database from PUBLIC$[\s\S]*^applied 0001_schema$/m,
  );
  const reader = await memberOf(t, url, `${prefix}_read`);
  t.deepEqual(await run(['db', 'migrate'], { TRIAGE_DATABASE_URL: reader, TRIAGE_CHECK: 'yes' }), {
    code: 0,
    out: `${nameOf(url)}: the schema is up to date\n`,
    err: '',
  });
});

test('--roles says that it waits for a lock, and then what it does and how to go on, without a secret', async (t) => {
  const url = await database(t);
  const { prefix, words } = settingUp(t, url);
  const { out, code } = await connected(url, async (report) => {
    await report.query('BEGIN; SELECT count(*) FROM triage.scans');
    const migration = start([...words, '--lock-timeout', '300']);
    const told = 'roles: no lock within 300 ms; trying again in a second\n';
    await migration.until(() => migration.err().includes(told));
    await report.query('COMMIT');
    return migration.finished;
  });
  t.is(code, 0, out);
  for (const text of [
    ...Object.values(roleNames(prefix)).map((name) => `created the role ${name}, `),
    'took the right to create temporary tables and schemas in this database from PUBLIC\n',
    `${nameOf(url)}: the schema is up to date\n`,
    `\n  CREATE ROLE app LOGIN IN ROLE ${prefix}_serve;\n`,
  ])
    t.true(out.includes(text), `${text} in ${out}`);
  t.notRegex(out, /PASSWORD '/i);
});

test('an upgrade in place leaves a running server ready: what its database needs was read at its start', async (t) => {
  const url = await database(t);
  const program = join(await projectWith(t, {}), 'node_modules', 'triage-api');
  const words = [join(program, 'bin/triage-api.js'), 'serve', '--port', '0', '--database-url', url];
  const server = await listenProgram(t, { file: process.execPath, words, env: unhurried });
  await writeFile(join(program, 'build/assets/migrations/0002_later.sql'), 'SELECT 1');
  t.is((await fetch(`${server.url}/readyz`)).status, 200);
});
