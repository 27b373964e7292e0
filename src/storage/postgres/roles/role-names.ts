/** What a role is for. */
export type RolePart = 'owner' | 'definer' | 'serve' | 'write' | 'read';

/** The name of the role for each part. */
export type RoleNames = Readonly<Record<RolePart, string>>;

/** The prefix of role names where none is chosen. */
export const defaultRolePrefix = 'triage';

/**
 * The names of the roles for a prefix. Roles belong to a server, not to a database: two databases of one
 * server that must not share logins need two prefixes.
 */
export const roleNames = (prefix: string): RoleNames => ({
  owner: `${prefix}_owner`,
  definer: `${prefix}_definer`,
  serve: `${prefix}_serve`,
  write: `${prefix}_write`,
  read: `${prefix}_read`,
});

/** The prefix that a definer role was named with; null for any other name. */
export const prefixOfDefiner = (name: string): string | null => /^(.+)_definer$/.exec(name)?.[1] ?? null;
