import { readFile } from 'node:fs/promises';
import type pg from 'pg';
import { migrationsFolder } from './schema.js';

/** The names of the roles that own the schema, serve requests, write rows and read rows. */
export type RoleNames = Readonly<Record<'owner' | 'serve' | 'write' | 'read', string>>;

/** The prefix of role names where none is chosen. */
export const defaultRolePrefix = 'triage';

/** The names of the roles for a prefix. Databases of one server that share no logins need two prefixes. */
export const roleNames = (prefix: string): RoleNames => ({
  owner: `${prefix}_owner`,
  serve: `${prefix}_serve`,
  write: `${prefix}_write`,
  read: `${prefix}_read`,
});

/** Runs one part of `roles.sql` for roles of these names. What it did and why it refuses come with a code. */
export const runRolesPart = async (client: pg.ClientBase, part: 1 | 2 | 3 | 4, names: RoleNames) => {
  const parts = (await readFile(`${migrationsFolder}/roles.sql`, 'utf8')).split(/^(?=-- Part )/m);
  const text = parts[part] ?? '';
  const named = text.replace(
    /\btriage_(owner|serve|write|read)\b/g,
    (_, role: keyof RoleNames) => names[role],
  );
  await runScript(client, named);
};

/** The SQLSTATE of messages of `roles.sql` for people. */
export const rolesMessage = 'TRIAG';

/**
 * Runs statements one after the other: Citus accepts no other beside one that it sends as text. Bodies of
 * functions are indented.
 */
export const runScript = async (client: pg.ClientBase, text: string): Promise<void> => {
  for (const statement of text.split(/;\n(?!BEGIN|EXCEPTION|END| {2})/)) await client.query(statement);
};

/** The roles that an earlier run has set up: one of them owns the schema. */
export const rolesInUse = async (client: pg.ClientBase): Promise<RoleNames | null> => {
  const owner = "SELECT pg_get_userbyid(nspowner) AS owner FROM pg_namespace WHERE nspname = 'triage'";
  const { rows } = await client.query(owner);
  const prefix = /^([a-z_][a-z0-9_]*)_owner$/.exec(String(rows[0]?.owner ?? ''))?.[1];
  return prefix === undefined ? null : roleNames(prefix);
};
