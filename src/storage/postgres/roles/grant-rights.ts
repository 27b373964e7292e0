import pg from 'pg';
import { distributedRights, functionsIn, rights, tablesIn } from './rights.js';
import type { RoleNames } from './role-names.js';

/**
 * Gives the definer role the functions that act with the rights of their owner, and sets the rights of all
 * roles in the schema to those of `rights`. Runs as the owner of the schema, which is a member of the definer
 * role. A role that does not exist is left out. Every statement can be repeated.
 */
export const grantRights = async (
  client: pg.ClientBase,
  names: RoleNames,
  isDistributed: boolean,
): Promise<void> => {
  const all = isDistributed ? distributedRights : rights;
  await requireObjects(client, all);
  await assignFunctions(client, names);
  // On a worker that was added since, Citus has made the functions anew, and everybody may call them.
  if (isDistributed) await client.query('REVOKE ALL ON ALL FUNCTIONS IN SCHEMA triage FROM PUBLIC');
  const existing = await existingParts(client, names);
  for (const part of existing) {
    for (const statement of rightsOf(all[part], names[part], await signatures(client, all[part])))
      await client.query(statement);
  }
  if (existing.includes('definer')) await addPolicies(client, names.definer);
};

const granted = ['serve', 'write', 'read', 'definer'] as const;
type GrantedPart = (typeof granted)[number];

const existingParts = async (client: pg.ClientBase, names: RoleNames): Promise<readonly GrantedPart[]> => {
  const { rows } = await client.query('SELECT rolname AS name FROM pg_roles WHERE rolname = ANY ($1)', [
    granted.map((part) => names[part]),
  ]);
  return granted.filter((part) => rows.some(({ name }) => name === names[part]));
};

/** A schema that lacks a table or a function of these rights would leave a role without its rights. */
const requireObjects = async (client: pg.ClientBase, all: typeof rights): Promise<void> => {
  const { rows } = await client.query(
    `SELECT name FROM unnest($1::text[]) AS name
     WHERE NOT EXISTS (SELECT FROM pg_class WHERE relnamespace = 'triage'::regnamespace AND relname = name)
     UNION ALL
     SELECT name FROM unnest($2::text[]) AS name
     WHERE NOT EXISTS (SELECT FROM pg_proc WHERE pronamespace = 'triage'::regnamespace AND proname = name)`,
    [tablesIn(all), functionsIn(all)],
  );
  if (rows.length > 0)
    throw new Error(
      `the schema lacks what roles need: ${rows.map(({ name }) => `triage.${name}`).join(', ')}`,
    );
};

/**
 * Functions that act with the rights of their owner go to the definer role, all others to the owner of the
 * schema. To become the owner of a function, a role needs the right to create one for a moment.
 */
const assignFunctions = async (client: pg.ClientBase, names: RoleNames): Promise<void> => {
  const { rows } = await client.query(
    `SELECT format('ALTER ROUTINE %s OWNER TO %I', p.oid::regprocedure, part.name) AS statement
     FROM pg_proc p
     CROSS JOIN LATERAL (SELECT CASE WHEN p.prosecdef THEN $1 ELSE $2 END::text AS name) part
     WHERE p.pronamespace = 'triage'::regnamespace AND pg_get_userbyid(p.proowner) <> part.name`,
    [names.definer, names.owner],
  );
  if (rows.length === 0) return;
  const definer = pg.escapeIdentifier(names.definer);
  await client.query(`GRANT USAGE, CREATE ON SCHEMA triage TO ${definer}`);
  for (const { statement } of rows) await client.query(statement);
  await client.query(`REVOKE CREATE ON SCHEMA triage FROM ${definer}`);
};

/**
 * The signatures of the functions that a part may call: a name can have several, and with `_on_` and a number
 * at its end, it is an edition for a shard.
 */
const signatures = async (
  client: pg.ClientBase,
  { functions }: (typeof rights)[GrantedPart],
): Promise<readonly string[]> => {
  const { rows } = await client.query(
    `SELECT p.oid::regprocedure::text AS signature FROM pg_proc p
     WHERE p.pronamespace = 'triage'::regnamespace AND ($1::text[] IS NULL OR regexp_replace(p.proname, '_on_\\d+$', '') = ANY ($1))
     ORDER BY 1`,
    [functions === 'all' ? null : functions],
  );
  return rows.map(({ signature }) => String(signature));
};

const rightsOf = (
  { tables: tableRights }: (typeof rights)[GrantedPart],
  name: string,
  functions: readonly string[],
): readonly string[] => {
  const role = pg.escapeIdentifier(name);
  return [
    `REVOKE ALL ON SCHEMA triage FROM ${role}`,
    `REVOKE ALL ON ALL TABLES IN SCHEMA triage FROM ${role}`,
    `REVOKE ALL ON ALL ROUTINES IN SCHEMA triage FROM ${role}`,
    `GRANT USAGE ON SCHEMA triage TO ${role}`,
    ...tableRights.map(
      ({ privileges, tables }) =>
        `GRANT ${privileges} ON ${tables.map((table) => `triage.${table}`).join(', ')} TO ${role}`,
    ),
    `GRANT EXECUTE ON ROUTINE ${functions.join(', ')} TO ${role}`,
  ];
};

/**
 * Row-level security applies to the definer role, because it does not own the tables. A policy shows it all
 * rows. Policies that exist are left alone: creating one locks its table against reads.
 */
const addPolicies = async (client: pg.ClientBase, definer: string): Promise<void> => {
  const { rows } = await client.query(
    `SELECT format('%s', c.oid::regclass) AS table, p.oid IS NOT NULL AS "hasOther"
     FROM pg_class c LEFT JOIN pg_policy p ON p.polrelid = c.oid AND p.polname = 'definer'
     WHERE c.relnamespace = 'triage'::regnamespace AND c.relrowsecurity
       AND p.polroles IS DISTINCT FROM ARRAY[(SELECT r.oid FROM pg_roles r WHERE r.rolname = $1)]`,
    [definer],
  );
  for (const { table, hasOther } of rows) {
    if (hasOther) await client.query(`DROP POLICY definer ON ${table}`);
    await client.query(
      `CREATE POLICY definer ON ${table} TO ${pg.escapeIdentifier(definer)} USING (true) WITH CHECK (true)`,
    );
  }
};
