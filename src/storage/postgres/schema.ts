import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as t from 'io-ts';
import type pg from 'pg';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import { compareCodePoints } from '../../common/sort-and-group.js';
import { timestampAt } from '../../contract/codecs/timestamp.js';
import type { Ready, SchemaNewer, SchemaOlder } from '../port.js';
import {
  type Asked,
  hasCode,
  type Outcome,
  type Statement,
  singleConnection,
  withConnection,
} from './database.js';
import { findingQuery, findingsQuery, prsQuery, reposQuery, type TenantQuery } from './queries.js';
import { rowsOf } from './stored-records.js';

/** The tables that scanners write and the API reads. */
export const rowTables = ['repos', 'scans', 'fix_drafts', 'pull_requests'] as const;

/** The names of tables or functions of the schema as a list for a statement. */
export const inSchema = (...names: readonly string[]): string =>
  names.map((name) => `triage.${name}`).join(', ');

/** The folder to which `npm run build` copies the SQL migrations. */
export const migrationsFolder = fileURLToPath(new URL('../../../assets/migrations', import.meta.url));

/** The names of the migrations in a folder, in order. */
export const migrationNames = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((file) => /^\d+_.*\.sql$/.test(file))
    .map((file) => file.slice(0, -'.sql'.length))
    .sort(compareCodePoints);

/** The migrations of this program, as it was started: an upgrade may replace its files while it runs. */
export const ownMigrations = migrationNames(migrationsFolder);

/** The functions that `roles.sql` lets servers call: wherever rows are, on a single server, on Citus. */
const [everywhere = [], onOneServer = [], onCitus = []] = Array.from(
  readFileSync(`${migrationsFolder}/roles.sql`, 'utf8').matchAll(/GRANT EXECUTE [^;]+? TO triage_serve\b/g),
  ([grant]) => Array.from(grant.matchAll(/\btriage\.(\w+)/g), ([, name = '']) => name),
);

/** The functions that a server calls. Those that run with the rights of their owner call others. */
export const functionsOfServers = {
  single: [...everywhere, ...onOneServer],
  citus: [...everywhere, ...onCitus],
};

/** The entry in the table of migrations of a schema that Citus has distributed. */
export const distributed = 'citus';

/** How the schema of a database differs from that of this version; null: not at all. */
export type SchemaState = SchemaOlder | SchemaNewer | null;

const Name = t.strict({ name: t.string }, 'names');

/** Runs a statement whose rows have the column `name` alone. */
export const namesOf = async (
  database: Asked,
  text: string,
  ...values: Statement['values']
): Outcome<readonly string[]> => {
  const rows = await rowsOf(database, Name, text, ...values);
  return E.isLeft(rows) ? rows : E.right(rows.right.map(({ name }) => name));
};

const appliedMigrations = (database: Asked): Outcome<readonly string[]> =>
  namesOf(database, 'SELECT name FROM triage.migrations ORDER BY name');

/** Compares the schema of a database. A database without a table of migrations has none applied. */
export const schemaState = async (database: Asked, expected = ownMigrations): Outcome<SchemaState> => {
  const applied = pipe(
    await appliedMigrations(database),
    E.orElse((error) => ('cause' in error && isMissingTable(error.cause) ? E.right([]) : E.left(error))),
  );
  if (E.isLeft(applied)) return applied;
  const unknown = applied.right.filter((name) => name !== distributed && !expected.includes(name));
  if (unknown.length > 0) return E.right({ _tag: 'SchemaNewer', unknown });
  const missing = expected.filter((name) => !applied.right.includes(name));
  return E.right(missing.length > 0 ? { _tag: 'SchemaOlder', missing } : null);
};

const isMissingTable = (cause: unknown): boolean => hasCode(cause, '42P01', '3F000');

/** Why a schema cannot be used, and what to do; null for the current schema. */
export const schemaProblem = (state: SchemaState): string | null => {
  if (state === null) return null;
  return state._tag === 'SchemaOlder'
    ? `the schema of the database is older than this version of triage-api (not applied: ${state.missing.join(', ')}); run: triage-api db migrate`
    : `the schema of the database is newer than this version of triage-api (it has ${state.unknown.join(', ')}); run a newer version`;
};

/** The database cannot be used; `reason` is a message for people. */
export type UnsuitableDatabase = Readonly<{ _tag: 'UnsuitableDatabase'; reason: string }>;

/** Why a database cannot be migrated; the message says what to do. */
export class Refused extends Error {}

export const unsuitable = (reason: string): E.Either<UnsuitableDatabase, never> =>
  E.left({ _tag: 'UnsuitableDatabase', reason });

/** Runs `work` on a connection of its own to a database with the schema of this version. */
export const withCurrentSchema = <Err, A>(
  url: string,
  work: (client: pg.Client) => Promise<E.Either<Err, A>>,
): Outcome<A, Err | UnsuitableDatabase> =>
  withConnection(url, async (client): Outcome<A, Err | UnsuitableDatabase> => {
    const problem = E.map(schemaProblem)(await schemaState(singleConnection(client)));
    if (E.isLeft(problem)) return problem;
    return problem.right === null ? work(client) : unsuitable(problem.right);
  });

/** Whether Citus has distributed the schema. */
export const isDistributed = async (database: Asked): Outcome<boolean> =>
  E.map((names: readonly string[]) => names.includes(distributed))(await appliedMigrations(database));

/** Succeeds unless the schema of a database lacks a migration of this version; says if it is read-only. */
export const checkSchema = async (database: Asked): Promise<Ready> => {
  const state = await schemaState(database);
  if (E.isLeft(state)) return state;
  if (state.right !== null)
    return state.right._tag === 'SchemaOlder' ? E.left(state.right) : E.right(state.right);
  const isReadOnly = await namesOf(database, "SELECT current_setting('transaction_read_only') AS name");
  if (E.isLeft(isReadOnly)) return isReadOnly;
  return E.right(isReadOnly.right.includes('on') ? { _tag: 'ReadOnly' } : undefined);
};

export const nobody = { session: null, apiToken: null, at: timestampAt(0) };
const range = { repoId: undefined, offset: 0, limit: 1 };

/** The reads of the API. PostgreSQL checks the rights on every table of them nevertheless. */
const reads: readonly TenantQuery<unknown>[] = [
  reposQuery,
  findingsQuery(range),
  findingQuery(''),
  prsQuery({ ...range, status: undefined }),
];

/**
 * Succeeds if a database can serve requests with these rights: the schema lacks no migration, every function
 * can be called, and reads succeed. Where these fail on a newer schema, that is the reason.
 */
export const canServe = async (database: Asked): Promise<Ready> => {
  const newer = await checkSchema(database);
  if (E.isLeft(newer)) return newer;
  const called = await checkFunctions(database, functionsOfServers.single);
  const served = E.isLeft(called) ? called : await runReads(database, (read) => read.byCredentials(nobody));
  if (E.isRight(served)) return newer;
  return newer.right?._tag === 'SchemaNewer' && served.left._tag === 'StorageFailed'
    ? E.left({ ...newer.right, cause: served.left.cause })
    : served;
};

/** Runs every read of the API, until one fails. */
export const runReads = async (
  database: Asked,
  statementOf: (read: TenantQuery<unknown>) => Statement,
): Outcome<void> => {
  for (const read of reads) {
    const result = await database.query(statementOf(read));
    if (E.isLeft(result)) return result;
  }
  return E.right(undefined);
};

/** Succeeds if this role may call every function of a list. It calls none: some would change rows. */
export const checkFunctions = async (database: Asked, names: readonly string[]): Outcome<void> => {
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
