import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type pg from 'pg';
import { migrate } from '../../src/postgres/migrate.js';
import { functionsOfServers } from '../../src/postgres/readiness.js';
import { migrationsFolder, rowTables } from '../../src/postgres/schema.js';
import { rowsFound } from '../../src/storage-kit/conformance/conformance-case.js';
import { acme, other } from '../../src/storage-kit/conformance/sample-tenants.js';
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

/** Makes the owner of a database anybody who can log in, until the test is over; gives the database's URL. */
const ownerOf = async (t: ExecutionContext, url: string, attributes: string): Promise<string> => {
  const { name, url: own } = await loginOf(t, url, attributes);
  const give = (to: string) => onDatabase(url, `ALTER DATABASE %I OWNER TO ${to}`);
  await give(name);
  t.teardown(() => give('CURRENT_USER'));
  return own;
};

/** Runs a statement that needs the name of the database. */
const onDatabase = (url: string, statement: string): Promise<void> =>
  connected(url, async (client) => {
    await client.query(`DO $$ BEGIN EXECUTE format('${statement}', current_database()); END $$`);
  });

const newRoles = (t: ExecutionContext, url: string) => {
  const roles = roleNames(aRolePrefix());
  dropLater(t, url, Object.values(roles));
  return roles;
};

const setUpAs = async (url: string, roles: RoleNames) => {
  const events: Parameters<NonNullable<NonNullable<Parameters<typeof migrate>[1]>['onEvent']>>[0][] = [];
  const result = await connected(url, (client) =>
    migrate(client, { roles: prefixOf(roles), onEvent: (event) => events.push(event) }),
  );
  return { result, lines: events.map(({ text }) => text) };
};

/** The owners of everything in the schema, and how many things each owns. */
const owners = async (client: pg.Client, from: string): Promise<readonly unknown[]> =>
  (await client.query(`SELECT DISTINCT owner FROM (${from}) AS o ORDER BY 1`)).rows.map((row) => row.owner);

const relations = `SELECT relowner::regrole::text AS owner FROM pg_class WHERE relnamespace = 'triage'::regnamespace
  UNION ALL SELECT typowner::regrole::text FROM pg_type WHERE typnamespace = 'triage'::regnamespace
  UNION ALL SELECT nspowner::regrole::text FROM pg_namespace WHERE nspname = 'triage'`;
const functions =
  "SELECT proowner::regrole::text AS owner FROM pg_proc WHERE pronamespace = 'triage'::regnamespace";

for (const before of ['an empty database', 'a database that was migrated without roles']) {
  test(`a role with CREATEROLE that is no superuser sets up roles in ${before}`, async (t) => {
    const url = await emptyDatabase(t);
    const roles = newRoles(t, url);
    const admin = await ownerOf(t, url, 'CREATEROLE');
    await connected(admin, async (client) => {
      if (before.includes('migrated')) t.true(E.isRight(await migrate(client)));
      if (before.includes('migrated')) await fill(client, [acme, other]);
    });
    const first = await setUpAs(admin, roles);
    t.true(E.isRight(first.result), JSON.stringify(first.result));
    t.is(first.lines.filter((line) => line.startsWith('created the role ')).length, 4);
    const second = await setUpAs(admin, roles);
    t.deepEqual([second.result, second.lines], [E.right([]), []]);

    await connected(url, async (client) => {
      t.deepEqual(await owners(client, relations), [roles.owner]);
      t.deepEqual(await owners(client, functions), [roles.owner]);
      const { rows } = await client.query(
        `SELECT bool_or(rolcanlogin OR rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb) AS "isPowerful"
         FROM pg_roles WHERE rolname = ANY ($1)`,
        [Object.values(roles)],
      );
      t.deepEqual(rows, [{ isPowerful: false }]);
      const { rows: open } = await client.query(
        "SELECT has_database_privilege('public', current_database(), 'TEMPORARY') AS open",
      );
      t.deepEqual(open, [{ open: false }]);
      if (before.startsWith('an empty')) await fill(client, [acme, other]);
    });
    for (const login of [await memberOf(t, url, roles.serve), admin]) {
      t.is((await rowsFound(storageAt(t, login).repos(bySession('acme-cookie')))).length, acme.repos.length);
    }
  });
}

/** Why roles were not set up, as JSON. */
const refusal = async (url: string, roles: RoleNames): Promise<string> => {
  const { result } = await setUpAs(url, roles);
  return E.isLeft(result) ? JSON.stringify(result.left) : 'they were set up';
};

test('without the right to create roles, none are set up, and the message says what is enough', async (t) => {
  const url = await emptyDatabase(t);
  const roles = newRoles(t, url);
  const admin = await ownerOf(t, url, 'NOCREATEROLE');
  const message = await refusal(admin, roles);
  t.regex(message, /UnsuitableDatabase.*may not create roles; .* or let an administrator run: CREATE/);
  const [, statements = ''] = /run: (.*?)"\}/.exec(message.replaceAll('\\"', "'")) ?? [];
  await connected(url, (client) => client.query(statements.replaceAll("'", '"')));
  t.true(E.isRight((await setUpAs(admin, roles)).result));
});

test('a role of that name with other rights, or of another administrator, is refused', async (t) => {
  const url = await emptyDatabase(t);
  for (const [part, attributes, pattern] of [
    ['owner', 'LOGIN', /_owner exists and can log in/],
    ['owner', 'SUPERUSER', /_owner exists and is a superuser/],
    ['serve', 'BYPASSRLS', /_serve exists and bypasses row-level security/],
    ['write', 'CREATEROLE', /_write exists and can create roles/],
  ] as const) {
    const roles = newRoles(t, url);
    await connected(url, (client) => client.query(`CREATE ROLE ${roles[part]} ${attributes}`));
    t.regex(await refusal(url, roles), pattern);
  }
  const elsewhere = await emptyDatabase(t);
  const roles = newRoles(t, elsewhere);
  const names = Object.values(roles).map((name) => `CREATE ROLE ${name}`);
  await connected(elsewhere, (client) => client.query(names.join(';')));
  const admin = await ownerOf(t, elsewhere, 'NOCREATEROLE');
  t.regex(await refusal(admin, roles), /may not grant .*_owner; let a role that may/);
});

test('a role that may not close the database to others prints the statement for its owner', async (t) => {
  const url = await emptyDatabase(t);
  const admin = await loginOf(t, url, 'CREATEROLE');
  await onDatabase(url, `GRANT CREATE ON DATABASE %I TO ${admin.name}`);
  const { lines } = await setUpAs(admin.url, newRoles(t, url));
  const told = lines.filter((line) => line.includes('every role can create temporary tables'));
  t.is(told.length, 1);
  t.regex(told[0] ?? '', /its owner can forbid it: REVOKE CREATE, TEMPORARY ON DATABASE \S+ FROM PUBLIC$/);
});

test('of a schema that the role may not give away nothing is changed', async (t) => {
  const url = await database(t);
  const roles = newRoles(t, url);
  const admin = await loginOf(t, url, 'CREATEROLE');
  await connected(url, async (client) => {
    await client.query(
      `GRANT USAGE ON SCHEMA triage TO ${admin.name}; GRANT SELECT ON triage.migrations TO ${admin.name}`,
    );
    t.regex(
      await refusal(admin.url, roles),
      /may not make .*_owner the owner of the schema .* who owns it now/,
    );
    const { rows } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [roles.owner]);
    t.deepEqual(rows, [], 'no role was created');
  });
});

test('the functions that readiness checks are those that the file of roles grants', async (t) => {
  const text = await readFile(join(migrationsFolder, 'roles.sql'), 'utf8');
  const grants = Array.from(text.matchAll(/GRANT EXECUTE [^;]+? TO triage_serve\b/g), ([grant]) =>
    Array.from(grant.matchAll(/\btriage\.(\w+)/g), ([, name]) => name),
  );
  const [everywhere = [], single = [], citus = []] = grants;
  t.deepEqual(functionsOfServers, { single: [...everywhere, ...single], citus: [...everywhere, ...citus] });
});

test('a later migration, run by any member of the owner role, keeps owners and rights', async (t) => {
  const url = await filled(t, acme);
  const roles = await setUp(t, url);
  const serving = await memberOf(t, url, roles.serve);
  // It replaces a function, whose owner and rights are gone with it.
  const folder = await folderWith(t, {
    '0002_caller': `DO $$ DECLARE definition text := pg_get_functiondef('triage.caller_of'::regproc); BEGIN
      DROP FUNCTION triage.caller_of; EXECUTE definition; END $$;`,
  });
  const migrated = await connected(await memberOf(t, url, roles.owner), (client) =>
    migrate(client, { folder }),
  );
  t.deepEqual(migrated, E.right(['0002_caller']));
  t.true(E.isRight(await storageAt(t, serving).repos(bySession('acme-cookie'))));
  await connected(url, async (client) => {
    t.deepEqual(await owners(client, functions), [roles.owner]);
  });
});

test('the documented removal of roles leaves a schema that works with one role', async (t) => {
  const url = await filled(t, acme);
  const roles = await setUp(t, url);
  const statements = block(documentText('postgres.md'), 'sql no roles').replaceAll(
    /triage_(owner|definer|serve|write|read)/g,
    (_, part: string) => `${prefixOf(roles)}_${part}`,
  );
  await connected(url, async (client) => {
    await client.query(statements);
    await client.query(`DROP ROLE ${Object.values(roles).join(', ')}`);
  });
  t.true(E.isRight(await storageAt(t, url).repos(bySession('acme-cookie'))));
});

/** A database with two tenants, its roles, and the URLs of members of them: nobody may change anything. */
let url = '';
let roles: RoleNames | undefined;
const members = new Map<string, string>();
const parts = ['serve', 'read', 'write'] as const;
test.serial.before(async () => {
  url = await sharedDatabase();
  roles = await setUpRoles(url);
  for (const part of parts) {
    const name = `${roles[part]}_member`;
    const role = `CREATE ROLE ${name} LOGIN PASSWORD 'secret' IN ROLE ${roles[part]}`;
    await connected(url, (client) => client.query(role));
    members.set(part, urlWith(url, { username: name, password: 'secret' }));
  }
  await connected(url, (client) => fill(client, [acme, other]));
});
beforeStop(async () => {
  const names = Object.values(roles ?? {});
  await dropRoles(url, [...names, ...names.map((name) => `${name}_member`)]);
});

const asMember = <A>(part: string, work: (client: pg.Client) => Promise<A>): Promise<A> =>
  connected(members.get(part) ?? '', work);

const setTenant = (client: pg.Client, tenant: string) =>
  client.query("SELECT set_config('triage.user_id', $1, true)", [tenant]);

test('the serving role gets no hash by the id of a user', async (t) => {
  await asMember('serve', async (client) => {
    const { rows } = await client.query(
      "SELECT triage.list_api_tokens('acme') AS tokens, triage.user_profile('acme') AS profile",
    );
    const answer = JSON.stringify(rows);
    t.true(answer.includes('tok-'));
    // A hash of a secret has 64 hexadecimal digits.
    t.notRegex(answer, /scrypt|passwordHash|[0-9a-f]{64}/);
  });
});

/** What no role may do, though it has set a tenant. */
const denied: readonly string[] = [
  ...['users', 'sessions', 'api_tokens'].map((table) => `SELECT FROM triage.${table}`),
  'TRUNCATE triage.scans CASCADE',
  'DROP TABLE triage.repos',
  'ALTER TABLE triage.repos DISABLE ROW LEVEL SECURITY',
  "INSERT INTO triage.migrations (name) VALUES ('x')",
  "SELECT triage.add_rows('acme', '{}')",
  "SELECT triage.delete_rows('acme', 1)",
  "SELECT triage.lock_user('acme')",
  'CREATE DOMAIN pg_temp.timestamptz AS pg_catalog.timestamptz',
  'CREATE TEMPORARY TABLE users ()',
  'CREATE SCHEMA mine',
  'CREATE TABLE triage.mine ()',
  "CREATE FUNCTION triage.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
  'SELECT lo_creat(-1)',
  'SET session_replication_role = replica',
  'ALTER FUNCTION triage.end_session(text) OWNER TO CURRENT_USER',
  'ALTER FUNCTION triage.end_session(text) SET search_path = pg_temp',
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
const deniedTo = {
  serve: writes,
  read: [...writes, ...callsOfTheServer],
  write: [
    ...callsOfTheServer,
    "INSERT INTO triage.repos VALUES ('other', 'new', '', '', '', false, '', '')",
    "UPDATE triage.repos SET user_id = 'other'",
  ],
};

const noTenant = { code: '42501', message: 'no tenant is set' };

for (const part of parts) {
  test(`a role in ${part} may do nothing that it does not need`, async (t) => {
    const owner = roles?.owner;
    await asMember(part, async (client) => {
      await client.query("SELECT set_config('triage.user_id', 'acme', false)");
      for (const statement of [
        ...denied,
        ...deniedTo[part],
        ...['SET ROLE', 'SET SESSION AUTHORIZATION'].map((set) => `${set} ${owner}`),
        `GRANT ${owner} TO CURRENT_USER`,
      ])
        await t.throwsAsync(client.query(statement), { code: '42501' }, statement);
    });
  });

  test(`a role in ${part} gets an error from a table of rows without a tenant, and then the rows of this tenant alone`, async (t) => {
    await asMember(part, async (client) => {
      const refuses = async (when: string): Promise<void> => {
        for (const table of rowTables)
          for (const statement of [
            `SELECT count(*) FROM triage.${table}`,
            `SELECT FROM triage.${table} WHERE user_id = 'acme' LIMIT 1`,
            ...(part === 'write'
              ? [`UPDATE triage.${table} SET id = id`, `DELETE FROM triage.${table}`]
              : []),
          ])
            await t.throwsAsync(client.query(statement), noTenant, `${when}: ${statement}`);
      };
      const ownersIn = async (by: pg.Client, table: string, condition: string) =>
        (await by.query(`SELECT user_id, count(*) FROM triage.${table} WHERE ${condition} GROUP BY 1`)).rows;
      await refuses('on a new connection');
      await client.query('BEGIN');
      for (const tenant of ['other', 'nobody', 'acme']) {
        await setTenant(client, tenant);
        for (const table of rowTables) {
          const expected = await connected(url, (owner) => ownersIn(owner, table, `user_id = '${tenant}'`));
          t.deepEqual(await ownersIn(client, table, 'true'), expected, `${table} of ${tenant}`);
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
  const { rows } = await connected(url, (client) =>
    client.query(
      `SELECT p.oid::regprocedure::text AS signature FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
       WHERE p.pronamespace = 'triage'::regnamespace AND (has_function_privilege('public', p.oid, 'EXECUTE') OR CASE
         WHEN p.prosecdef OR l.lanname = 'plpgsql' THEN
           NOT coalesce('search_path=pg_catalog, pg_temp' = ANY (p.proconfig), false)
         ELSE EXISTS (
           SELECT FROM unnest(p.proconfig) s WHERE s LIKE 'search_path=%' AND s <> 'search_path=pg_catalog, pg_temp')
         END)`,
    ),
  );
  t.deepEqual(rows, []);
});
