import test, { type ExecutionContext } from 'ava';
import type pg from 'pg';
import { acme, other } from '../../../src/storage/conformance/sample-tenants.js';
import { connected, withPostgres } from './_postgres.js';
import { memberOf, setUp } from './_role.js';

const { database, filled } = withPostgres(test);

/** A statement that runs a function with the rights of its owner. */
type Target = Readonly<{ name: string; statement: string }>;

/** A way to make names mean something else in a session. */
type Trap = Readonly<{ name: string; statements: readonly string[] }>;

/** Code of the attacker: tells as which role it runs if that is another one. A notice outlives errors. */
const payload = `
  BEGIN
    IF current_user <> session_user THEN RAISE NOTICE 'ran as %', current_user; END IF;`;

const temporary = (signature: string, result = 'NULL'): string =>
  `CREATE FUNCTION pg_temp.${signature} LANGUAGE plpgsql AS $$ ${payload} RETURN ${result}; END $$`;

const note = temporary('note() RETURNS pg_catalog.bool', 'true');

/** Types that functions may name, in the spelling in which PostgreSQL looks them up. */
const types = (
  'text json jsonb bytea timestamptz timestamp interval date name uuid oid ' +
  'int2 int4 int8 float8 numeric bool varchar regclass'
).split(' ');

const shadow = (type: string): string =>
  `CREATE DOMAIN pg_temp.${type} AS pg_catalog.${type} CHECK (pg_temp.note())`;

const tables =
  'users sessions api_tokens repos scans fix_drafts pull_requests migrations pg_class pg_proc pg_attribute'.split(
    ' ',
  );

const functions: readonly string[] = [
  'now() RETURNS pg_catalog.timestamptz',
  'clock_timestamp() RETURNS pg_catalog.timestamptz',
  'hashtext(pg_catalog.text) RETURNS pg_catalog.int4',
  'pg_advisory_xact_lock(pg_catalog.int8) RETURNS pg_catalog.bool',
  'quote_ident(pg_catalog.text) RETURNS pg_catalog.text',
  'format(pg_catalog.text, VARIADIC pg_catalog.text[]) RETURNS pg_catalog.text',
  'json_build_array(VARIADIC pg_catalog.text[]) RETURNS pg_catalog.json',
  'set_config(pg_catalog.text, pg_catalog.text, pg_catalog.bool) RETURNS pg_catalog.text',
  'current_setting(pg_catalog.text, pg_catalog.bool) RETURNS pg_catalog.text',
];

const ownPathFirst = "SELECT pg_catalog.set_config('search_path', 'pg_temp, pg_catalog, triage', false)";

/** The ways in which a session can put names of its own before those of a function. */
const traps: readonly Trap[] = [
  ...types.map((type) => ({ name: `a temporary type ${type}`, statements: [note, shadow(type)] })),
  { name: 'temporary types in the path', statements: [note, ...types.map(shadow), ownPathFirst] },
  {
    name: 'temporary tables',
    statements: [
      note,
      ...tables.map(
        (table) =>
          `CREATE TEMPORARY VIEW ${table} AS SELECT pg_temp.note() AS user_id, pg_temp.note() AS id, pg_temp.note() AS hash`,
      ),
      ownPathFirst,
    ],
  },
  {
    name: 'temporary functions',
    statements: [...functions.map((signature) => temporary(signature)), ownPathFirst],
  },
  {
    name: 'temporary operators',
    statements: [
      ...['=', '<', '>', '<=', '<>', '->>', '->', '||', '~~'].flatMap((operator, i) => [
        temporary(`operator_${i}(pg_catalog.text, pg_catalog.text) RETURNS pg_catalog.bool`, 'true'),
        `CREATE OPERATOR pg_temp.${operator} (
           FUNCTION = pg_temp.operator_${i}, LEFTARG = pg_catalog.text, RIGHTARG = pg_catalog.text)`,
      ]),
      ownPathFirst,
    ],
  },
  {
    name: 'a cast to a temporary type',
    statements: [
      'CREATE TYPE pg_temp.timestamptz AS (a pg_catalog.text)',
      temporary('cast_text(pg_catalog.text) RETURNS pg_temp.timestamptz'),
      `CREATE CAST (pg_catalog.text AS pg_temp.timestamptz)
         WITH FUNCTION pg_temp.cast_text(pg_catalog.text) AS IMPLICIT`,
    ],
  },
];

/**
 * Sets a trap in a session of its own and runs every target in it, directly and as a prepared statement.
 * Returns what code of the attacker has run as another role.
 */
const spring = (url: string, trap: Trap, targets: readonly Target[]): Promise<readonly string[]> =>
  connected(url, async (client) => {
    const escalated: string[] = [];
    let running = '';
    client.on('notice', ({ message = '' }) => {
      if (message.startsWith('ran as ')) escalated.push(`${trap.name}: ${running} ${message}`);
    });
    for (const statement of [asTenant, ...trap.statements]) await client.query(statement);
    for (const [i, { name, statement }] of targets.entries()) {
      running = name;
      for (const query of [{ text: statement }, { name: `prepared ${i}`, text: statement }]) {
        await client.query('BEGIN');
        // Most statements fail in such a session. What matters is what has run before they do.
        await client.query(query).catch(() => {});
        await client.query('ROLLBACK');
      }
    }
    return escalated;
  });

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

const asTenant = "SELECT pg_catalog.set_config('triage.user_id', 'acme', false)";

/** Everything that any trap has run as another role. */
const attack = async (url: string, targets: readonly Target[]): Promise<readonly string[]> => {
  const escalated: string[] = [];
  for (const trap of traps) escalated.push(...(await spring(url, trap, targets)));
  return escalated;
};

const grantTemporary = (client: pg.Client, role: string) =>
  client.query(
    `DO $$ BEGIN EXECUTE format('GRANT TEMPORARY ON DATABASE %I TO ${role}', current_database()); END $$`,
  );

test('a role that serves or writes runs nothing with other rights, even where it may create temporary objects', async (t) => {
  const url = await filled(t, acme, other);
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
    await client.query(asTenant);
    for (const { name, statement } of targets) {
      await client.query('BEGIN');
      await t.notThrowsAsync(client.query(statement), name);
      await client.query('ROLLBACK');
    }
  });

test('with an empty search path, the same attack runs code as the owner', async (t) => {
  const url = await filled(t, acme);
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
