import * as E from '#fp-ts/Either';
import type { Ready } from '../api/storage-port.js';
import { timestampAt } from '../contract/codecs/timestamp.js';
import type { Database, Outcome, Statement } from './database.js';
import { findingQuery, findingsQuery, prsQuery, reposQuery, type TenantQuery } from './queries.js';
import { inSchema, namesOf, schemaState } from './schema.js';

/** The functions that `roles.sql` lets servers call, wherever rows are. */
const everywhere = [
  ...['caller_of', 'record_token_use', 'user_by_email', 'user_profile', 'create_account', 'change_password'],
  ...['delete_account', 'start_session', 'end_session', 'list_api_tokens', 'mint_api_token'],
  ...['revoke_api_token', 'deleted_tenants', 'delete_rows_of_deleted', 'forget_tenant', 'purge_sessions'],
];

/** The functions that a server calls. Those that run with the rights of their owner call others. */
export const functionsOfServers = {
  single: [...everywhere, 'no_tenant'],
  citus: [...everywhere, 'create_account_alone', 'lock_deleted', 'add_rows', 'delete_rows'],
};

/** Credentials of no user. */
export const nobody = { session: null, apiToken: null, at: timestampAt(0) };
const range = { repoId: undefined, offset: 0, limit: 1 };

/** The reads of the API. PostgreSQL checks the rights on every table of them, even for nobody. */
export const readsOfServers: readonly TenantQuery<unknown>[] = [
  reposQuery,
  findingsQuery(range),
  findingQuery(''),
  prsQuery({ ...range, status: undefined }),
];

/**
 * Succeeds if a database can serve requests with these rights: the schema lacks no migration, these functions
 * can be called, and these statements succeed. Where they fail on a newer schema, that is the reason.
 */
export const canServe = async (
  database: Database,
  functions: readonly string[],
  statements: readonly Statement[],
): Promise<Ready> => {
  const state = await schemaState(database);
  if (E.isLeft(state)) return state;
  const newer = state.right;
  if (newer?._tag === 'SchemaOlder') return E.left(newer);
  const functionsExist = await checkFunctions(database, functions);
  const ready = E.isLeft(functionsExist) ? functionsExist : await runAll(database, statements);
  if (E.isLeft(ready))
    return newer !== null && ready.left._tag === 'StorageFailed'
      ? E.left({ ...newer, cause: ready.left.cause })
      : ready;
  if (newer !== null) return E.right(newer);
  const isReadOnly = await namesOf(database, "SELECT current_setting('transaction_read_only') AS name");
  if (E.isLeft(isReadOnly)) return isReadOnly;
  return E.right(isReadOnly.right.includes('on') ? { _tag: 'ReadOnly' } : undefined);
};

/** Runs statements, until one fails. */
export const runAll = async (database: Database, statements: readonly Statement[]): Outcome<void> => {
  for (const statement of statements) {
    const result = await database.query(statement);
    if (E.isLeft(result)) return result;
  }
  return E.right(undefined);
};

/** Succeeds if this role may call every function of a list. It calls none: some would change rows. */
const checkFunctions = async (database: Database, names: readonly string[]): Outcome<void> => {
  const missing = await namesOf(
    database,
    `SELECT name FROM unnest(string_to_array($1, ',')) AS name WHERE NOT EXISTS (
       SELECT FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
       WHERE n.nspname = 'triage' AND p.proname = name AND pg_catalog.has_function_privilege(p.oid, 'EXECUTE'))`,
    names.join(','),
  );
  if (E.isLeft(missing)) return missing;
  if (missing.right.length === 0) return E.right(undefined);
  const list = inSchema(...missing.right);
  const cause = new Error(`functions that are missing or that this role must not call: ${list}`);
  return E.left({ _tag: 'StorageFailed', cause });
};
