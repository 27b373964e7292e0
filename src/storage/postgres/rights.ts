/** What a role is for. */
export type RolePart = 'owner' | 'definer' | 'serve' | 'write' | 'read';

/** What a server calls for accounts. */
const accountFunctions = [
  'caller_of',
  'record_token_use',
  'user_by_email',
  'user_profile',
  'create_account',
  'change_password',
  'delete_account',
  'start_session',
  'end_session',
  'list_api_tokens',
  'mint_api_token',
  'revoke_api_token',
  'deleted_tenants',
  'forget_tenant',
  'purge_sessions',
] as const;

/** The functions that a server calls. Those that run with the rights of their owner call others. */
export const functionsOfServers = {
  single: [...accountFunctions, 'delete_rows_of_deleted', 'tenant'],
  // Rows are on workers, which know no accounts.
  citus: [...accountFunctions, 'add_rows', 'delete_rows', 'node_of', 'worker_nodes'],
} as const;

/** The rights of a role in the schema. */
export type Rights = Readonly<{
  /** Privileges as `GRANT` writes them, and the tables that they are for. */
  tables: readonly Readonly<{ privileges: string; tables: readonly string[] }>[];
  /** Functions that the role may call, whatever their arguments; `all` for every function. */
  functions: readonly string[] | 'all';
}>;

/** The tables that scanners write and the API reads. */
export const rowTables = ['repos', 'scans', 'fix_drafts', 'pull_requests'] as const;

const everything = 'SELECT, INSERT, UPDATE, DELETE';

/**
 * What each role may do in the schema, and nothing else: `migrate` grants these rights and revokes all others.
 * A migration that adds a table or a function adds it here.
 *
 * - `serve` reads rows of the tenant whose credentials it has, and calls functions for accounts.
 * - `write` writes rows of the tenant that it has set.
 * - `read` reads rows of the tenant that it has set.
 * - `definer` owns the functions that run with its rights. They need exactly these.
 */
export const rightsOf = (isDistributed: boolean): Readonly<Record<Exclude<RolePart, 'owner'>, Rights>> => ({
  serve: {
    tables: [{ privileges: 'SELECT', tables: ['migrations', ...rowTables] }],
    functions: functionsOfServers[isDistributed ? 'citus' : 'single'],
  },
  write: {
    tables: [
      { privileges: 'SELECT', tables: ['migrations'] },
      { privileges: everything, tables: rowTables },
    ],
    functions: ['tenant'],
  },
  read: { tables: [{ privileges: 'SELECT', tables: ['migrations', ...rowTables] }], functions: ['tenant'] },
  definer: {
    tables: [
      // Deleting rows in order takes the right to lock them.
      { privileges: everything, tables: ['users', 'sessions', ...rowTables] },
      { privileges: 'SELECT, INSERT, DELETE, UPDATE (revoked_at, last_used_at)', tables: ['api_tokens'] },
    ],
    functions: 'all',
  },
});
