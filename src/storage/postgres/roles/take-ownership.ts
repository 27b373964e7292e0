import pg from 'pg';
import type { RoleNames } from './role-names.js';
import { isDenied, RolesRefused } from './roles-refused.js';

/** Everything in the schema that another role owns, as statements that give it to the owner role. */
const foreignObjects = `
  SELECT format('ALTER SCHEMA triage OWNER TO %I', $1::text) AS statement, 0 AS step, pg_get_userbyid(nspowner) AS owner
  FROM pg_namespace WHERE nspname = 'triage'
  UNION ALL
  SELECT format(
    'ALTER %s %s OWNER TO %I',
    CASE c.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END,
    c.oid::regclass, $1), 1, pg_get_userbyid(c.relowner)
  FROM pg_class c
  WHERE c.relnamespace = to_regnamespace('triage') AND (
    c.relkind IN ('r', 'p', 'v', 'm')
    -- The sequence of a column follows its table.
    OR c.relkind = 'S' AND NOT EXISTS (
      SELECT FROM pg_depend d
      WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype IN ('a', 'i')))
  UNION ALL
  SELECT format('ALTER TYPE %s OWNER TO %I', t.oid::regtype, $1), 2, pg_get_userbyid(t.typowner)
  FROM pg_type t
  WHERE t.typnamespace = to_regnamespace('triage') AND (
    t.typtype IN ('d', 'e', 'r')
    OR EXISTS (SELECT FROM pg_class c WHERE c.oid = t.typrelid AND c.relkind = 'c'))
  UNION ALL
  SELECT format('ALTER ROUTINE %s OWNER TO %I', p.oid::regprocedure, $1), 3, pg_get_userbyid(p.proowner)
  FROM pg_proc p
  WHERE p.pronamespace = to_regnamespace('triage') AND pg_get_userbyid(p.proowner) <> $2
  UNION ALL
  SELECT format('ALTER STATISTICS triage.%I OWNER TO %I', s.stxname, $1), 4, pg_get_userbyid(s.stxowner)
  FROM pg_statistic_ext s WHERE s.stxnamespace = to_regnamespace('triage')`;

/**
 * Makes the owner role the owner of the schema, which is created if there is none, and of everything in it.
 * Returns what was done.
 */
export const takeOwnership = async (
  client: pg.ClientBase,
  { owner, definer }: RoleNames,
  self: Readonly<{ name: string }>,
): Promise<readonly string[]> => {
  const { rows: found } = await client.query("SELECT to_regnamespace('triage') IS NOT NULL AS exists");
  const { rows: foreign } = await client.query(
    `SELECT statement, owner FROM (${foreignObjects}) AS objects WHERE owner <> $1 ORDER BY step, statement`,
    [owner, definer],
  );
  try {
    if (found[0].exists !== true) {
      await client.query(`CREATE SCHEMA triage AUTHORIZATION ${pg.escapeIdentifier(owner)}`);
      return [`created the schema triage, owned by ${owner}`];
    }
    for (const { statement } of foreign) await client.query(statement);
  } catch (error) {
    if (!isDenied(error)) throw error;
    const owners = [...new Set(foreign.map((each) => String(each.owner)))];
    throw new RolesRefused(
      `the role ${self.name} may not make ${owner} the owner of the schema (${String(error)}); it needs CREATE on ` +
        `the database${owners.length > 0 ? `, and the rights of ${owners.join(', ')}, who owns it now` : ''}`,
    );
  }
  return foreign.length > 0 ? [`made ${owner} the owner of everything in the schema triage`] : [];
};
