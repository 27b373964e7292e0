import test, { type ExecutionContext } from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type pg from 'pg';
import { acme, other } from '../../../src/storage/conformance/sample-tenants.js';
import { type MigrateEvent, migrate } from '../../../src/storage/postgres/migrate.js';
import { roleNames } from '../../../src/storage/postgres/roles.js';
import { schemaState } from '../../../src/storage/postgres/schema.js';
import { block, documentText } from '../../_documented.js';
import { bySession } from '../../_storage.js';
import { fill } from './_fill.js';
import { folderWith } from './_migrations.js';
import { opened, storageAt } from './_opened.js';
import { connected, urlWith, withPostgres } from './_postgres.js';
import { aRolePrefix, dropLater, memberOf, setUp } from './_role.js';

const { database, emptyDatabase } = withPostgres(test);

/** Makes a role that can log in the owner of a database, and gives the database's URL for it. */
const ownerOf = async (t: ExecutionContext, url: string, attributes: string): Promise<string> => {
  const name = aRolePrefix();
  dropLater(t, url, [name]);
  await connected(url, async (client) => {
    await client.query(`CREATE ROLE ${name} LOGIN PASSWORD 'secret' ${attributes}`);
    await client.query(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I OWNER TO ${name}', current_database()); END $$`,
    );
    t.teardown(() =>
      connected(url, (again) =>
        again.query(
          `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I OWNER TO CURRENT_USER', current_database()); END $$`,
        ),
      ).then(() => {}),
    );
  });
  return urlWith(url, { username: name, password: 'secret' });
};

const newRoles = (t: ExecutionContext, url: string) => {
  const roles = roleNames(aRolePrefix());
  dropLater(t, url, Object.values(roles));
  return roles;
};

const setUpAs = async (url: string, roles: ReturnType<typeof roleNames>) => {
  const events: MigrateEvent[] = [];
  const result = await connected(url, (client) =>
    migrate(client, { roles, onEvent: (event) => events.push(event) })(),
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
      if (before.includes('migrated')) t.true(E.isRight(await migrate(client)()));
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
      const repos = await storageAt(t, login).repos(bySession('acme-cookie'))();
      t.is(E.isRight(repos) ? repos.right.length : repos.left._tag, acme.repos.length);
    }
  });
}

test('without the right to create roles, nothing happens, and the message says what is needed', async (t) => {
  const url = await emptyDatabase(t);
  const roles = newRoles(t, url);
  const admin = await ownerOf(t, url, 'NOCREATEROLE');
  const { result } = await setUpAs(admin, roles);
  t.true(E.isLeft(result) && result.left._tag === 'UnsuitableDatabase');
  const message = JSON.stringify(result);
  t.regex(message, /may not create roles; .* or let an administrator run: CREATE/);
  await connected(url, async (client) => {
    t.deepEqual((await client.query("SELECT to_regnamespace('triage') AS schema")).rows, [{ schema: null }]);
    // What the message says is enough.
    const [, statements = ''] = /run: (.*?)"\}/.exec(message.replaceAll('\\"', "'")) ?? [];
    await client.query(statements.replaceAll("'", '"'));
  });
  const again = await setUpAs(admin, roles);
  t.true(E.isRight(again.result), JSON.stringify(again.result));
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
    t.regex(JSON.stringify((await setUpAs(url, roles)).result), pattern);
  }
  const roles = newRoles(t, url);
  const admin = await ownerOf(t, url, 'NOCREATEROLE');
  await connected(url, async (client) => {
    for (const name of Object.values(roles)) await client.query(`CREATE ROLE ${name}`);
  });
  t.regex(
    JSON.stringify((await setUpAs(admin, roles)).result),
    /may not grant .*_owner; let a role that may/,
  );
});

test('who may not close the database is told the statement, once', async (t) => {
  const url = await emptyDatabase(t);
  const roles = newRoles(t, url);
  const name = aRolePrefix();
  dropLater(t, url, [name]);
  await connected(url, async (client) => {
    await client.query(`CREATE ROLE ${name} LOGIN PASSWORD 'secret' CREATEROLE`);
    await client.query(
      `DO $$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO ${name}', current_database()); END $$`,
    );
  });
  const { result, lines } = await setUpAs(urlWith(url, { username: name, password: 'secret' }), roles);
  t.true(E.isRight(result), JSON.stringify(result));
  const told = lines.filter((line) => line.includes('every role can create temporary objects'));
  t.is(told.length, 1);
  t.regex(told[0] ?? '', /its owner can forbid it: REVOKE CREATE, TEMPORARY ON DATABASE \S+ FROM PUBLIC$/);
});

test('a schema that the role may not give away stays as it is', async (t) => {
  const url = await database(t);
  const roles = newRoles(t, url);
  const name = aRolePrefix();
  dropLater(t, url, [name]);
  await connected(url, async (client) => {
    await client.query(`CREATE ROLE ${name} LOGIN PASSWORD 'secret' CREATEROLE`);
    await client.query(
      `GRANT USAGE ON SCHEMA triage TO ${name}; GRANT SELECT ON triage.migrations TO ${name}`,
    );
  });
  const { result } = await setUpAs(urlWith(url, { username: name, password: 'secret' }), roles);
  t.regex(JSON.stringify(result), /may not make .*_owner the owner of the schema .* who owns it now/);
  await connected(url, async (client) =>
    t.deepEqual(
      (await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [roles.owner])).rows,
      [],
      'no role was created',
    ),
  );
});

test('a later migration, run by any member of the owner role, keeps owners and rights', async (t) => {
  const url = await database(t);
  await connected(url, (client) => fill(client, [acme]));
  const roles = await setUp(t, url);
  const serving = await memberOf(t, url, roles.serve);
  // It replaces a function, whose owner and rights are gone with it.
  const folder = await folderWith(t, {
    '0002_caller': `DO $$ DECLARE definition text := pg_get_functiondef('triage.caller_of'::regproc); BEGIN
      DROP FUNCTION triage.caller_of; EXECUTE definition; END $$;`,
  });
  const migrated = await connected(await memberOf(t, url, roles.owner), (client) =>
    migrate(client, { folder })(),
  );
  t.deepEqual(migrated, E.right(['0002_caller']));
  t.true(E.isRight(await storageAt(t, serving).repos(bySession('acme-cookie'))()));
  await connected(url, async (client) => {
    t.deepEqual(await owners(client, functions), [roles.owner]);
  });
});

test('a writing role writes rows of the tenant that it has set, and the next request sees them', async (t) => {
  const url = await database(t);
  await connected(url, (client) => fill(client, [acme, other]));
  const roles = await setUp(t, url);
  const asked = async () => {
    const found = await storageAt(t, url).repos(bySession('acme-cookie'))();
    return E.isRight(found) ? found.right.find(({ repo }) => repo.id === 'new') : null;
  };
  await connected(await memberOf(t, url, roles.write), async (client) => {
    const repo = "INSERT INTO triage.repos VALUES ('acme', 'new', 'o', 'r', 'm', false, '', '')";
    await t.throwsAsync(client.query(repo), { code: '42501' }, 'no tenant is set');
    await client.query("SELECT set_config('triage.user_id', 'acme', false)");
    await client.query(repo);
    await client.query(
      "INSERT INTO triage.scans VALUES ('acme', 'new-s', 'new', now(), now(), 'ok', 0, 0, NULL)",
    );
    await client.query(
      `INSERT INTO triage.fix_drafts VALUES
       ('acme', 'new-d', 'new', 'A', 'p', 'npm', '', '', 'low', 0, 0, 'pending', '', now(), now(), NULL)`,
    );
    await client.query(
      `INSERT INTO triage.pull_requests
         (user_id, id, repo_id, draft_id, from_version, to_version, branch, has_codemod, codemod_summary, ci_status,
          pr_url, pr_state, created_at, updated_at)
       VALUES ('acme', 'new-p', 'new', 'new-d', '', '', '', false, '', '', '', 'open', now(), now())`,
    );
    const added = await asked();
    t.deepEqual(
      [added?.lastScan?.id, added?.openPrCount, added?.openFixDraftId, added?.openAdvisoryCount],
      ['new-s', 1, 'new-d', 1],
    );
    await client.query("UPDATE triage.pull_requests SET pr_state = 'merged' WHERE id = 'new-p'");
    await client.query("UPDATE triage.fix_drafts SET status = 'resolved' WHERE id = 'new-d'");
    await client.query("DELETE FROM triage.scans WHERE id = 'new-s'");
    const changed = await asked();
    t.deepEqual([changed?.lastScan, changed?.openPrCount, changed?.openAdvisoryCount], [null, 0, 0]);
    await client.query("DELETE FROM triage.repos WHERE id = 'new'");
    t.is(await asked(), undefined);

    t.is((await client.query("UPDATE triage.repos SET owner = 'x' WHERE user_id = 'other'")).rowCount, 0);
    for (const statement of [
      "INSERT INTO triage.repos VALUES ('other', 'new', 'o', 'r', 'm', false, '', '')",
      "UPDATE triage.repos SET user_id = 'other'",
      'SELECT * FROM triage.users',
      'SELECT * FROM triage.api_tokens',
      'TRUNCATE triage.scans CASCADE',
      "SELECT triage.user_by_email('acme@test.test')",
    ])
      await t.throwsAsync(client.query(statement), { code: '42501' }, statement);
  });
});

test('a reading role reads rows of the tenant that it has set, and no account', async (t) => {
  const url = await database(t);
  await connected(url, (client) => fill(client, [acme, other]));
  const roles = await setUp(t, url);
  const reader = await memberOf(t, url, roles.read);
  await connected(reader, async (client) => {
    const ids = async () => (await client.query('SELECT DISTINCT user_id FROM triage.fix_drafts')).rows;
    await client.query("SELECT set_config('triage.user_id', 'acme', false)");
    t.deepEqual(await ids(), [{ user_id: 'acme' }]);
    for (const statement of [
      'SELECT * FROM triage.users',
      'SELECT * FROM triage.sessions',
      'SELECT * FROM triage.api_tokens',
      "UPDATE triage.repos SET owner = 'x'",
      "SELECT triage.list_api_tokens('acme')",
      "SELECT triage.user_by_email('acme@test.test')",
    ])
      await t.throwsAsync(client.query(statement), { code: '42501' }, statement);
  });
  t.deepEqual(await schemaState(opened(t, reader))(), E.right({ _tag: 'Current' }));
});

test('the serving role gets no hash by the id of a user', async (t) => {
  const url = await database(t);
  await connected(url, (client) => fill(client, [acme]));
  const roles = await setUp(t, url);
  const hashes = await connected(
    url,
    async (client) =>
      (await client.query('SELECT hash FROM triage.api_tokens UNION ALL SELECT hash FROM triage.sessions'))
        .rows,
  );
  t.true(hashes.length > 1);
  await connected(await memberOf(t, url, roles.serve), async (client) => {
    const { rows } = await client.query(
      "SELECT triage.list_api_tokens('acme') AS tokens, triage.user_profile('acme') AS profile",
    );
    const told = JSON.stringify(rows);
    t.true(told.includes('tok-'));
    for (const { hash } of hashes) t.false(told.includes(hash));
    t.notRegex(told, /scrypt|passwordHash/);
  });
});

test('the documented removal of roles leaves a schema that works with one role', async (t) => {
  const url = await database(t);
  await connected(url, (client) => fill(client, [acme]));
  const roles = await setUp(t, url);
  const statements = block(documentText('postgres.md'), 'sql no roles').replaceAll(
    /triage_(owner|definer|serve|write|read)/g,
    (_, part: string) => `${roles.owner.replace(/owner$/, '')}${part}`,
  );
  await connected(url, async (client) => {
    await client.query(statements);
    await client.query(`DROP ROLE ${Object.values(roles).join(', ')}`);
  });
  t.true(E.isRight(await storageAt(t, url).repos(bySession('acme-cookie'))()));
});
