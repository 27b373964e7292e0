import { innerCitusFunctions, requiredCitusFunctions } from '../citus/citus-functions.js';
import { innerFunctions, requiredFunctions } from '../required-functions.js';
import type { RolePart } from './role-names.js';

/** The rights of a role in the schema. */
type Rights = Readonly<{
  /** Privileges as `GRANT` writes them, and the tables that they are for. */
  tables: readonly Readonly<{ privileges: string; tables: readonly string[] }>[];
  /** Functions that the role may call, whatever their arguments; `all` for every function. */
  functions: readonly string[] | 'all';
}>;

/** The tables that scanners write and the API reads. */
const rowTables = ['repos', 'scans', 'fix_drafts', 'pull_requests'] as const;

/** What is derived from them. */
const countTables = ['changes', 'lists', 'marks', 'advisories'] as const;

/** A role names its tenant with the first; row-level security compares rows by the second. */
const tenantSetting = ['ask_for', 'asked_for'] as const;

type AllRights = Readonly<Record<Exclude<RolePart, 'owner'>, Rights>>;

/**
 * What each role may do in the schema, and nothing else: `migrate` grants these rights and revokes all
 * others. A migration that adds a table or a function adds it here.
 *
 * - `serve` calls functions. It reads through them, and row-level security applies to what it reads.
 * - `write` writes rows of the tenant that it has set.
 * - `read` reads rows of the tenant that it has set.
 * - `definer` owns the functions that act with its rights. They need exactly these.
 */
export const rights: AllRights = {
  serve: {
    tables: [{ privileges: 'SELECT', tables: ['migrations', ...countTables, ...rowTables] }],
    functions: [
      ...requiredFunctions,
      ...innerFunctions,
      // Row-level security compares rows by it.
      'asked_for',
    ],
  },
  write: {
    tables: [
      { privileges: 'SELECT', tables: ['migrations'] },
      { privileges: 'SELECT, INSERT, UPDATE, DELETE', tables: rowTables },
    ],
    functions: ['add_rows', 'moment_of', 'fold_counts', 'recount', ...tenantSetting],
  },
  read: {
    tables: [{ privileges: 'SELECT', tables: ['migrations', ...rowTables] }],
    functions: tenantSetting,
  },
  definer: {
    tables: [
      { privileges: 'SELECT, INSERT, UPDATE, DELETE', tables: ['users'] },
      { privileges: 'SELECT, INSERT, UPDATE, DELETE', tables: ['sessions'] },
      {
        privileges: 'SELECT, INSERT, DELETE, UPDATE (revoked_at, last_used_at)',
        tables: ['api_tokens'],
      },
      // Deleting rows in order takes the right to lock them.
      { privileges: 'SELECT, INSERT, UPDATE, DELETE', tables: rowTables },
      { privileges: 'SELECT, INSERT, UPDATE, DELETE', tables: countTables },
    ],
    functions: 'all',
  },
};

/**
 * The rights in a schema that Citus has distributed, where other functions do the same. Whoever writes calls
 * no function for it.
 */
export const distributedRights: AllRights = {
  serve: {
    tables: [{ privileges: 'SELECT', tables: ['migrations', 'distribution', ...countTables, ...rowTables] }],
    functions: [...requiredCitusFunctions, ...innerCitusFunctions, 'asked_for'],
  },
  write: {
    ...rights.write,
    functions: ['moment_of', 'tenant_recount', 'recount', 'enter_tenant', 'is_here', ...tenantSetting],
  },
  read: { ...rights.read, functions: [...tenantSetting] },
  definer: rights.definer,
};

/** Every table that some role may use with these rights. */
export const tablesIn = (all: AllRights): readonly string[] => [
  ...new Set(Object.values(all).flatMap((each) => each.tables.flatMap(({ tables }) => tables))),
];

/** Every function that these rights grant by name. */
export const functionsIn = (all: AllRights): readonly string[] => [
  ...new Set(Object.values(all).flatMap(({ functions }) => (functions === 'all' ? [] : functions))),
];
