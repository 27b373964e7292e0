import test, { type ExecutionContext } from 'ava';
import type pg from 'pg';
import { acme, other } from '../../../src/storage/conformance/sample-tenants.js';
import { spring, type Target, traps } from './_attack.js';
import { fill } from './_fill.js';
import { connected, withPostgres } from './_postgres.js';
import { memberOf, setUp } from './_role.js';

const { database, emptyDatabase } = withPostgres(test);

const hash = `'${'a'.repeat(64)}'`;
const at = "'2026-01-01T00:00:00.000Z'";
const account = `'{"id": "eve", "email": "eve@test.test", "email_key": "eve@test.test", "name": "Eve", "password_hash": "x"}'`;
const session = `'{"user_id": "acme", "id": "s", "hash": "${'b'.repeat(64)}", "created_at": "2026-01-01", "expires_at": "2027-01-01"}'`;
const token = `'{"user_id": "acme", "id": "t", "name": "n", "prefix": "p", "hash": "${'c'.repeat(64)}", "created_at": "2026-01-01"}'`;
const rows = `'{"repos": [{"id": "e", "owner": "o", "repo": "r", "default_branch": "m", "is_demo_row": true, "scan_status_badge": "", "status": ""}],
  "scans": [{"id": "e", "repo_id": "e", "started_at": "2026-01-01", "finished_at": "2026-01-01", "status": "", "findings_seen": 1, "drafts_opened": 1}]}'`;

/** Arguments for the functions that a serving role may call and that act with the rights of their owner. */
const calls: Readonly<Record<string, string>> = {
  caller_of: `${hash}, ${hash}, ${at}`,
  record_token_use: `${hash}, ${at}`,
  user_by_email: "'acme@test.test'",
  user_profile: "'acme'",
  end_session: hash,
  create_account: `${account}, ${session}, ${rows}, ${hash}, 100`,
  change_password: `'acme', 'x', 'y', ${session}`,
  delete_account: "'nobody'",
  delete_rows_of_deleted: "'nobody', 10",
  deleted_tenants: '',
  forget_tenant: "'nobody'",
  purge_sessions: `${at}, 10`,
  start_session: `${session}, ${hash}, 5`,
  list_api_tokens: "'acme'",
  mint_api_token: `${token}, 100, 100`,
  revoke_api_token: `'acme', 'tok-acme-token', ${at}`,
};

/** The definer functions that a role may call, with arguments. */
const callable = async (client: pg.Client, role: string): Promise<readonly Target[]> => {
  const { rows: found } = await client.query(
    `SELECT p.proname AS name FROM pg_proc p WHERE p.pronamespace = 'triage'::regnamespace AND p.prosecdef
       AND has_function_privilege($1, p.oid, 'EXECUTE') ORDER BY 1`,
    [role],
  );
  return found.map(({ name }) => {
    const args = calls[name];
    if (args === undefined) throw new Error(`give arguments for triage.${name}`);
    return { name, statement: `SELECT * FROM triage.${name}(${args})` };
  });
};

/** Statements that run the checks and the policy of every table of rows. */
const writes: readonly Target[] = [
  "INSERT INTO triage.repos VALUES ('acme', 'x', '', '', '', false, '', '')",
  "UPDATE triage.repos SET owner = 'x'",
  ...['scans', 'fix_drafts', 'pull_requests'].map((table) => `UPDATE triage.${table} SET id = id || 'x'`),
  ...['pull_requests', 'fix_drafts', 'scans', 'repos'].map((table) => `DELETE FROM triage.${table}`),
  `INSERT INTO triage.scans SELECT user_id, 'x' || id, id, now(), now(), '', 0, 0 FROM triage.repos`,
  `INSERT INTO triage.fix_drafts SELECT user_id, id || 'x', repo_id, 'A', '', '', '', '', 'low', 0, 0, 'pending', '', now(), now()
   FROM triage.fix_drafts`,
].map((statement) => ({ name: statement, statement }));

const asTenant = {
  name: 'as a tenant',
  statements: ["SELECT pg_catalog.set_config('triage.user_id', 'acme', false)"],
};

/** Everything that any trap has run as another role. */
const attack = async (url: string, targets: readonly Target[]): Promise<readonly string[]> => {
  const escalated: string[] = [];
  for (const trap of traps) {
    const armed = { ...trap, statements: [...asTenant.statements, ...trap.statements] };
    escalated.push(...(await spring(url, armed, targets)));
  }
  return escalated;
};

const grantTemporary = (client: pg.Client, role: string) =>
  client.query(
    `DO $$ BEGIN EXECUTE format('GRANT TEMPORARY ON DATABASE %I TO ${role}', current_database()); END $$`,
  );

test('a role that serves or writes runs nothing with other rights, even where it may create temporary objects', async (t) => {
  const url = await database(t);
  await connected(url, (client) => fill(client, [acme, other]));
  const roles = await setUp(t, url);
  const targets = await connected(url, async (client) => {
    for (const role of [roles.serve, roles.write]) await grantTemporary(client, role);
    return callable(client, roles.serve);
  });
  t.deepEqual(targets.map(({ name }) => name).sort(), Object.keys(calls).sort());
  await works(t, await memberOf(t, url, roles.serve), targets);
  t.deepEqual(await attack(await memberOf(t, url, roles.serve), targets), []);
  const writer = await memberOf(t, url, roles.write);
  await works(t, writer, writes);
  t.deepEqual(await attack(writer, writes), []);
});

/** Without a trap every statement succeeds: an attack is not fended off by a mistake in it. */
const works = (t: ExecutionContext, url: string, targets: readonly Target[]) =>
  connected(url, async (client) => {
    for (const statement of asTenant.statements) await client.query(statement);
    for (const { name, statement } of targets) {
      await client.query('BEGIN');
      await t.notThrowsAsync(client.query(statement), name);
      await client.query('ROLLBACK');
    }
  });

test('with an empty search path, the same attack runs code as the owner', async (t) => {
  const url = await database(t);
  await connected(url, (client) => fill(client, [acme]));
  const roles = await setUp(t, url);
  const targets = await connected(url, async (client) => {
    await grantTemporary(client, roles.serve);
    await client.query(`
      DO $$ DECLARE name text; BEGIN
        FOR name IN SELECT oid::regprocedure FROM pg_proc WHERE pronamespace = 'triage'::regnamespace AND prosecdef
        LOOP EXECUTE format('ALTER FUNCTION %s SET search_path = ''''', name); END LOOP;
      END $$`);
    return callable(client, roles.serve);
  });
  const escalated = await attack(await memberOf(t, url, roles.serve), targets);
  t.true(escalated.some((line) => line.startsWith('a temporary type text: create_account ran as')));
});

test('without a grant of their own, roles create no temporary objects and no schemas', async (t) => {
  const url = await emptyDatabase(t);
  const roles = await setUp(t, url);
  for (const role of [roles.serve, roles.write, roles.read]) {
    await connected(await memberOf(t, url, role), async (client) => {
      for (const statement of [
        'CREATE DOMAIN pg_temp.timestamptz AS pg_catalog.timestamptz',
        'CREATE TEMPORARY TABLE users ()',
        'CREATE SCHEMA mine',
        'CREATE TABLE triage.mine ()',
        "CREATE FUNCTION triage.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        `SET ROLE ${roles.owner}`,
        `SET SESSION AUTHORIZATION ${roles.owner}`,
        `GRANT ${roles.owner} TO CURRENT_USER`,
        'SET session_replication_role = replica',
        `ALTER FUNCTION triage.end_session(text) OWNER TO CURRENT_USER`,
        `ALTER FUNCTION triage.end_session(text) SET search_path = pg_temp`,
      ]) {
        await t.throwsAsync(client.query(statement), { code: '42501' }, statement);
      }
    });
  }
});

test('every function that could run code for its caller looks up names in pg_catalog first, pg_temp last', async (t) => {
  const url = await database(t);
  const { rows: unsafe } = await connected(url, (client) =>
    client.query(
      `SELECT p.oid::regprocedure::text AS signature, p.proconfig AS config FROM pg_proc p
       JOIN pg_language l ON l.oid = p.prolang
       WHERE p.pronamespace = 'triage'::regnamespace
         AND CASE
           WHEN p.prosecdef OR l.lanname = 'plpgsql' THEN
             NOT coalesce('search_path=pg_catalog, pg_temp' = ANY (p.proconfig), false)
           ELSE EXISTS (
             SELECT FROM unnest(p.proconfig) s WHERE s LIKE 'search_path=%' AND s <> 'search_path=pg_catalog, pg_temp')
         END`,
    ),
  );
  t.deepEqual(unsafe, []);
  const { rows: open } = await connected(url, (client) =>
    client.query(
      `SELECT p.oid::regprocedure::text AS signature FROM pg_proc p
       WHERE p.pronamespace = 'triage'::regnamespace AND has_function_privilege('public', p.oid, 'EXECUTE')`,
    ),
  );
  t.deepEqual(open, [], 'and nobody may call it without a grant');
});
