import type pg from 'pg';

/** What was done about roles, and what somebody else should do, one line each. */
export type RoleReport = Readonly<{ done: readonly string[]; warnings: readonly string[] }>;

/**
 * Takes from PUBLIC the rights to create temporary objects and schemas, as the migrations do; a database that
 * was restored from a dump has them again.
 */
export const closeDatabase = async (client: pg.ClientBase): Promise<RoleReport> => {
  const { rows } = await client.query(
    `SELECT format('REVOKE CREATE, TEMPORARY ON DATABASE %I FROM PUBLIC', d.datname) AS statement,
       pg_has_role(d.datdba, 'USAGE') AS "mayRevoke"
     FROM pg_database d WHERE d.datname = current_database() AND (
       has_database_privilege('public', d.oid, 'CREATE') OR has_database_privilege('public', d.oid, 'TEMPORARY'))`,
  );
  const [open] = rows;
  if (open === undefined) return { done: [], warnings: [] };
  if (open.mayRevoke !== true) {
    const warning = `every role can create temporary objects in this database; its owner can forbid it: ${open.statement}`;
    return { done: [], warnings: [warning] };
  }
  await client.query(open.statement);
  return {
    done: ['took the right to create temporary tables and schemas in this database from PUBLIC'],
    warnings: [],
  };
};
