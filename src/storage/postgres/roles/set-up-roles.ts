import pg from 'pg';
import { closeDatabase, type RoleReport } from './close-database.js';
import { createRoles, currentRole, joinRoles } from './create-roles.js';
import type { RoleNames } from './role-names.js';
import { takeOwnership } from './take-ownership.js';

/**
 * Creates the roles that are missing, and makes the owner role the owner of the schema and of everything in
 * it. Nothing is left to do the second time. Rejects with `RolesRefused` if the current role may not do it.
 */
export const setUpRoles = async (client: pg.ClientBase, names: RoleNames): Promise<RoleReport> => {
  const self = await currentRole(client);
  const created = await createRoles(client, names, self);
  const joined = await joinRoles(client, names, self);
  const owned = await takeOwnership(client, names, self);
  const owner = pg.escapeIdentifier(names.owner);
  const asOwner = `ALTER DEFAULT PRIVILEGES FOR ROLE ${owner}`;
  // Functions of later migrations: nobody but the definer role may call them until they are granted.
  await client.query(`${asOwner} REVOKE EXECUTE ON ROUTINES FROM PUBLIC`);
  await client.query(
    `${asOwner} IN SCHEMA triage GRANT EXECUTE ON ROUTINES TO ${pg.escapeIdentifier(names.definer)}`,
  );
  const { done, warnings } = await closeDatabase(client);
  return { done: [...created, ...joined, ...owned, ...done], warnings };
};
