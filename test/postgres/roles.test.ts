import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type pg from 'pg';
import { migrate } from '../../src/postgres/migrate.js';
import { functionsOfServers } from '../../src/postgres/readiness.js';
import { migrationsFolder, rowTables } from '../../src/postgres/schema.js';
import { acme, newSession, other } from '../_data.js';
import { block, documentText } from '../_documented.js';
import { bySession } from '../_storage.js';
import { connected, fill, folderWith, storageAt, urlWith, withPostgres } from './_postgres.js';
import {
  aRolePrefix,
  dropLater,
  dropRoles,
  loginOf,
  memberOf,
  prefixOf,
  type RoleNames,
  roleNames,
  setUp,
  setUpRoles,
} from './_role.js';

const { beforeStop, database, emptyDatabase, filled, sharedDatabase } = withPostgres(test);

const rowsFrom = (url: string, statement: string): Promise<readonly unknown[]> =>
  connected(url, async (client) => (await client.query(statement)).rows);

/** Makes the owner of a database anybody who can log in, until the test is over; gives the database's URL. */
const ownerOf = async (t: ExecutionContext, url: string, attributes: string): Promise<string> => {
  const { name, url: own } = await loginOf(t, url, attributes);
  const give = (to: string) =>
    rowsFrom(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} OWNER TO ${to}`);
  await give(name);
  t.teardown(() => give('CURRENT_USER'));
  return own;
};

const newRoles = (t: ExecutionContext, url: string): RoleNames => {
  const roles = roleNames(aRolePrefix());
  dropLater(t, url, Object.values(roles));
  return roles;
};

/** Sets up roles: why that failed, as JSON, or null, and the lines for people. */
const setUpAs = async (url: string, roles: RoleNames) => {
  const lines: string[] = [];
  const onEvent = ({ text }: Readonly<{ text: string }>) => lines.push(text);
  const done = await connected(url, (client) => migrate(client, { roles: prefixOf(roles), onEvent }));
  return { refusal: E.isLeft(done) ? JSON.stringify(done.left) : null, lines };
};

const functionsOwners =
  "SELECT DISTINCT proowner::regrole::text AS owner FROM pg_proc WHERE pronamespace = 'triage'::regnamespace";
const owners = `${functionsOwners}
  UNION SELECT relowner::regrole::text FROM pg_class WHERE relnamespace = 'triage'::regnamespace
  UNION SELECT typowner::regrole::text FROM pg_type WHERE typnamespace = 'triage'::regnamespace
  UNION SELECT nspowner::regrole::text FROM pg_namespace WHERE nspname = 'triage'`;

test('a role with CREATEROLE that is no superuser gives a schema to roles that it creates, once', async (t) => {
  const url = await emptyDatabase(t);
  const roles = newRoles(t, url);
  const admin = await ownerOf(t, url, 'CREATEROLE');
  await connected(admin, async (client) => {
    t.true(E.isRight(await migrate(client)));
    await fill(client, [acme, other]);
  });
  const { refusal, lines } = await setUpAs(admin, roles);
  t.is(refusal, null);
  t.is(lines.filter((line) => line.startsWith('created the role ')).length, 4);
  t.deepEqual(await setUpAs(admin, roles), { refusal: null, lines: [] });
  t.deepEqual(await rowsFrom(url, owners), [{ owner: roles.owner }]);
  const rights = `SELECT bool_or(rolcanlogin OR rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb) AS "isPowerful",
    has_database_privilege('public', current_database(), 'TEMPORARY') AS "isOpen"
    FROM pg_roles WHERE starts_with(rolname, '${prefixOf(roles)}_')`;
  t.deepEqual(await rowsFrom(url, rights), [{ isPowerful: false, isOpen: false }]);
  for (const login of [await memberOf(t, url, roles.serve), admin])
    t.true(E.isRight(await storageAt(t, login).repos(bySession('acme-cookie'))));
});

test('roles that exist with other rights, or that somebody else made, are refused with the reason', async (t) => {
  const url = await emptyDatabase(t);
  for (const [part, attributes, pattern] of [
    ['owner', 'LOGIN', /_owner exists and can log in/],
    ['owner', 'SUPERUSER', /_owner exists and is a superuser/],
    ['serve', 'BYPASSRLS', /_serve exists and bypasses row-level security/],
    ['write', 'CREATEROLE', /_write exists and can create roles/],
  ] as const) {
    const roles = newRoles(t, url);
    await rowsFrom(url, `CREATE ROLE ${roles[part]} ${attributes}`);
    t.regex((await setUpAs(url, roles)).refusal ?? '', pattern);
  }
  const elsewhere = await emptyDatabase(t);
  const roles = newRoles(t, elsewhere);
  for (const name of Object.values(roles)) await rowsFrom(elsewhere, `CREATE ROLE ${name}`);
  const admin = await ownerOf(t, elsewhere, 'NOCREATEROLE');
  t.regex((await setUpAs(admin, roles)).refusal ?? '', /may not grant .*_owner; let a role that may/);
});

test('who may not set up roles is told the statements of somebody who may, and nothing is changed', async (t) => {
  const url = await emptyDatabase(t);
  const roles = newRoles(t, url);
  const powerless = await ownerOf(t, url, 'NOCREATEROLE');
  const { refusal } = await setUpAs(powerless, roles);
  t.regex(refusal ?? '', /UnsuitableDatabase.*may not create roles; .* or let an administrator run: CREATE/);
  const [, statements = ''] = /run: (.*?)"\}/.exec(refusal ?? '') ?? [];
  await rowsFrom(url, statements.replaceAll('\\"', '"'));
  t.is((await setUpAs(powerless, roles)).refusal, null);

  const elsewhere = await emptyDatabase(t);
  const { name, url: stranger } = await loginOf(t, elsewhere, 'CREATEROLE');
  await rowsFrom(elsewhere, `GRANT CREATE ON DATABASE ${new URL(elsewhere).pathname.slice(1)} TO ${name}`);
  const { lines } = await setUpAs(stranger, newRoles(t, elsewhere));
  const told =
    /every role can create temporary tables.*forbid it: REVOKE CREATE, TEMPORARY ON DATABASE \S+ FROM PUBLIC$/;
  t.is(lines.filter((line) => told.test(line)).length, 1, lines.join('\n'));

  const prepared = await database(t);
  const others = newRoles(t, prepared);
  const { name: second, url: reader } = await loginOf(t, prepared, 'CREATEROLE');
  const grants = `GRANT USAGE ON SCHEMA triage TO ${second}; GRANT SELECT ON triage.migrations TO ${second}`;
  await rowsFrom(prepared, grants);
  t.regex(
    (await setUpAs(reader, others)).refusal ?? '',
    /may not make .*_owner the owner of the schema .* who owns it now/,
  );
  t.deepEqual(await rowsFrom(prepared, `SELECT FROM pg_roles WHERE rolname = '${others.owner}'`), []);
});

test('the functions that readiness checks are those that the file of roles grants', async (t) => {
  const text = await readFile(join(migrationsFolder, 'roles.sql'), 'utf8');
  const grants = Array.from(text.matchAll(/GRANT EXECUTE [^;]+? TO triage_serve\b/g), ([grant]) =>
    Array.from(grant.matchAll(/\btriage\.(\w+)/g), ([, name]) => name),
  );
  const [everywhere = [], single = [], citus = []] = grants;
  t.deepEqual(functionsOfServers, { single: [...everywhere, ...single], citus: [...everywhere, ...citus] });
});

test('roles outlive a later migration by a member of their owner, and their documented removal leaves a schema that works', async (t) => {
  const url = await filled(t, acme);
  const roles = await setUp(t, url);
  const serving = await memberOf(t, url, roles.serve);
  // It replaces a function, whose owner and rights are gone with it.
  const folder = await folderWith(t, {
    '0002_caller': `DO $$ DECLARE definition text := pg_get_functiondef('triage.caller_of'::regproc); BEGIN
      DROP FUNCTION triage.caller_of; EXECUTE definition; END $$;`,
  });
  const owner = await memberOf(t, url, roles.owner);
  const migrated = await connected(owner, (client) => migrate(client, { folder }));
  t.deepEqual(migrated, E.right(['0002_caller']));
  t.true(E.isRight(await storageAt(t, serving).repos(bySession('acme-cookie'))));
  t.deepEqual(await rowsFrom(url, functionsOwners), [{ owner: roles.owner }]);

  const removal = block(documentText('postgres.md'), 'sql no roles').replaceAll(
    /triage_(?=(?:owner|definer|serve|write|read)\b)/g,
    `${prefixOf(roles)}_`,
  );
  await rowsFrom(url, removal);
  await rowsFrom(url, `DROP ROLE ${Object.values(roles).join(', ')}`);
  t.true(E.isRight(await storageAt(t, url).repos(bySession('acme-cookie'))));
});

/** A database with two tenants, its roles, and the URLs of members of them: nobody may change anything. */
let url = '';
let roles: RoleNames | undefined;
const parts = ['serve', 'read', 'write'] as const;
const memberName = (part: (typeof parts)[number]): string => `${roles?.[part]}_member`;
test.serial.before(async () => {
  url = await sharedDatabase();
  roles = await setUpRoles(url);
  for (const part of parts)
    await rowsFrom(url, `CREATE ROLE ${memberName(part)} LOGIN PASSWORD 'secret' IN ROLE ${roles[part]}`);
  await connected(url, (client) => fill(client, [acme, other]));
});
beforeStop(() => dropRoles(url, [...Object.values(roles ?? {}), ...parts.map(memberName)]));

const asMember = <A>(part: (typeof parts)[number], work: (client: pg.Client) => Promise<A>): Promise<A> =>
  connected(urlWith(url, { username: memberName(part), password: 'secret' }), work);

test('the serving role gets no hash by an id, deletes no row of an account that is not deleted, and starts no session of another', async (t) => {
  await asMember('serve', async (client) => {
    const { rows } = await client.query(`SELECT triage.delete_rows_of_deleted('acme', 1000) AS deleted,
      triage.list_api_tokens('acme') AS tokens, triage.user_profile('acme') AS profile`);
    const answer = JSON.stringify(rows);
    t.regex(answer, /"deleted":"0".*tok-/);
    // A hash of a secret has 64 hexadecimal digits.
    t.notRegex(answer, /scrypt|passwordHash|[0-9a-f]{64}/);
    const found = await client.query("SELECT triage.user_by_email('acme@test.test') AS user");
    const values = [found.rows[0].user.passwordHash, JSON.stringify(newSession('other', 'stolen'))];
    const change = client.query("SELECT triage.change_password('acme', $1, 'x', $2)", values);
    await t.throwsAsync(change, { code: '23514' });
  });
});

/** What no role may do, though it has set a tenant. */
const denied: readonly string[] = [
  ...['users', 'sessions', 'api_tokens'].map((table) => `SELECT FROM triage.${table}`),
  'TRUNCATE triage.scans CASCADE',
  'ALTER TABLE triage.repos DISABLE ROW LEVEL SECURITY',
  "INSERT INTO triage.migrations (name) VALUES ('x')",
  "SELECT triage.add_rows('acme', '{}')",
  "SELECT triage.delete_rows('acme', 1)",
  "SELECT triage.lock_user('acme')",
  'CREATE TEMPORARY TABLE users ()',
  'CREATE SCHEMA mine',
  'CREATE TABLE triage.mine ()',
  "CREATE FUNCTION triage.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
  'SELECT lo_creat(-1)',
];
const writes = [
  "UPDATE triage.repos SET owner = 'x'",
  'DELETE FROM triage.fix_drafts',
  "INSERT INTO triage.repos VALUES ('acme', 'x', '', '', '', false, '', '')",
];
const callsOfTheServer = [
  "SELECT triage.user_by_email('acme@test.test')",
  "SELECT triage.list_api_tokens('acme')",
  "SELECT triage.delete_account('acme')",
  "SELECT triage.purge_sessions('2026-01-01T00:00:00.000Z', 1)",
];
const toOthers = [
  "INSERT INTO triage.repos VALUES ('other', 'new', '', '', '', false, '', '')",
  "UPDATE triage.repos SET user_id = 'other'",
];
const deniedTo = {
  serve: writes,
  read: [...writes, ...callsOfTheServer],
  write: [...callsOfTheServer, ...toOthers],
};

for (const part of parts) {
  test(`a role in ${part} may do nothing that it does not need`, async (t) => {
    const owner = roles?.owner;
    const becoming = [
      `SET ROLE ${owner}`,
      `SET SESSION AUTHORIZATION ${owner}`,
      `GRANT ${owner} TO CURRENT_USER`,
    ];
    await asMember(part, async (client) => {
      await client.query("SELECT set_config('triage.user_id', 'acme', false)");
      for (const statement of [...denied, ...deniedTo[part], ...becoming])
        await t.throwsAsync(client.query(statement), { code: '42501' }, statement);
    });
  });

  test(`a role in ${part} gets an error from a table of rows without a tenant, and then the rows of this tenant alone`, async (t) => {
    const counts = (table: string) => `SELECT user_id, count(*) FROM triage.${table} GROUP BY 1`;
    await asMember(part, async (client) => {
      const refuses = async (when: string): Promise<void> => {
        for (const table of rowTables)
          for (const statement of [
            counts(table),
            `SELECT FROM triage.${table} WHERE user_id = 'acme' LIMIT 1`,
            ...(part === 'write'
              ? [`UPDATE triage.${table} SET id = id`, `DELETE FROM triage.${table}`]
              : []),
          ]) {
            const noTenant = { code: '42501', message: 'no tenant is set' };
            await t.throwsAsync(client.query(statement), noTenant, `${when}: ${statement}`);
          }
      };
      await refuses('on a new connection');
      await client.query('BEGIN');
      for (const table of rowTables) {
        const all = await rowsFrom(url, counts(table));
        for (const tenant of ['other', 'nobody', 'acme']) {
          await client.query("SELECT set_config('triage.user_id', $1, true)", [tenant]);
          const expected = all.filter((row) => Object(row).user_id === tenant);
          t.deepEqual((await client.query(counts(table))).rows, expected, `${table} of ${tenant}`);
        }
      }
      await client.query('COMMIT');
      await refuses('after a transaction that had one');
      await client.query("SELECT set_config('triage.user_id', '', false)");
      await refuses('with an empty one');
    });
  });
}

test('every function that could run code for its caller looks up names in pg_catalog first and pg_temp last, and nobody may call it without a grant', async (t) => {
  const unsafe = `SELECT p.oid::regprocedure::text AS signature FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
    WHERE p.pronamespace = 'triage'::regnamespace AND (has_function_privilege('public', p.oid, 'EXECUTE') OR CASE
      WHEN p.prosecdef OR l.lanname = 'plpgsql' THEN
        NOT coalesce('search_path=pg_catalog, pg_temp' = ANY (p.proconfig), false)
      ELSE EXISTS (
        SELECT FROM unnest(p.proconfig) s WHERE s LIKE 'search_path=%' AND s <> 'search_path=pg_catalog, pg_temp')
      END)`;
  t.deepEqual(await rowsFrom(url, unsafe), []);
});
