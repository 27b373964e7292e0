import { connected } from './_postgres.js';

/** A statement that runs a function with the rights of its owner. */
export type Target = Readonly<{ name: string; statement: string }>;

/** A way to make names mean something else in a session. */
export type Trap = Readonly<{ name: string; statements: readonly string[] }>;

/** Code of the attacker: tells as which role it runs if that is another one. A notice outlives errors. */
const payload = `
  BEGIN
    IF current_user <> session_user THEN RAISE NOTICE 'ran as %', current_user; END IF;`;

const note = `CREATE FUNCTION pg_temp.note() RETURNS pg_catalog.bool LANGUAGE plpgsql AS $$ ${payload} RETURN true; END $$`;

/** Types that functions may name, in the spelling in which PostgreSQL looks them up. */
const types = [
  ...[
    'text',
    'json',
    'jsonb',
    'bytea',
    'timestamptz',
    'timestamp',
    'interval',
    'date',
    'name',
    'uuid',
    'oid',
  ],
  ...['int2', 'int4', 'int8', 'float8', 'numeric', 'bool', 'varchar', 'regclass'],
];

const shadow = (type: string): string =>
  `CREATE DOMAIN pg_temp.${type} AS pg_catalog.${type} CHECK (pg_temp.note())`;

const tables = [
  ...['users', 'sessions', 'api_tokens', 'repos', 'scans', 'fix_drafts', 'pull_requests', 'migrations'],
  ...['pg_class', 'pg_proc', 'pg_attribute'],
];

const functions = [
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
export const traps: readonly Trap[] = [
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
    statements: [
      ...functions.map(
        (signature) =>
          `CREATE FUNCTION pg_temp.${signature} LANGUAGE plpgsql AS $$ ${payload} RETURN NULL; END $$`,
      ),
      ownPathFirst,
    ],
  },
  {
    name: 'temporary operators',
    statements: [
      ...['=', '<', '>', '<=', '<>', '->>', '->', '||', '~~'].flatMap((operator, i) => [
        `CREATE FUNCTION pg_temp.operator_${i}(pg_catalog.text, pg_catalog.text) RETURNS pg_catalog.bool
           LANGUAGE plpgsql AS $$ ${payload} RETURN true; END $$`,
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
      `CREATE FUNCTION pg_temp.cast_text(pg_catalog.text) RETURNS pg_temp.timestamptz
         LANGUAGE plpgsql AS $$ ${payload} RETURN NULL; END $$`,
      `CREATE CAST (pg_catalog.text AS pg_temp.timestamptz)
         WITH FUNCTION pg_temp.cast_text(pg_catalog.text) AS IMPLICIT`,
    ],
  },
];

/**
 * Sets a trap in a session of its own and runs every target in it, directly and as a prepared statement.
 * Returns what code of the attacker has run as another role.
 */
export const spring = (url: string, trap: Trap, targets: readonly Target[]): Promise<readonly string[]> =>
  connected(url, async (client) => {
    const escalated: string[] = [];
    let running = '';
    client.on('notice', ({ message = '' }) => {
      if (message.startsWith('ran as ')) escalated.push(`${trap.name}: ${running} ${message}`);
    });
    for (const statement of trap.statements) await client.query(statement);
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
