import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as t from 'io-ts';
import type pg from 'pg';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import type { SchemaNewer, SchemaOlder } from '../api/storage-port.js';
import { compareCodePoints } from '../common/sort-and-group.js';
import {
  type Database,
  hasCode,
  type Outcome,
  type Statement,
  singleConnection,
  withConnection,
} from './database.js';
import { rowsOf } from './stored-records.js';

/** The tables that scanners write and the API reads. */
export const rowTables = ['repos', 'scans', 'fix_drafts', 'pull_requests'] as const;

/** The names of tables or functions of the schema as a list for a statement. */
export const inSchema = (...names: readonly string[]): string =>
  names.map((name) => `triage.${name}`).join(', ');

/** The folder to which `npm run build` copies the SQL migrations. */
export const migrationsFolder = fileURLToPath(new URL('../../assets/migrations', import.meta.url));

/** The names of the migrations in a folder, in order. */
export const migrationNames = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((file) => /^\d+_.*\.sql$/.test(file))
    .map((file) => file.slice(0, -'.sql'.length))
    .sort(compareCodePoints);

/** The migrations of this program, as it was started: an upgrade may replace its files while it runs. */
const ownMigrations = migrationNames(migrationsFolder);

/** The entry in the table of migrations of a schema that Citus has distributed. */
export const distributed = 'citus';

/** How the schema of a database differs from that of this version; null: not at all. */
type SchemaState = SchemaOlder | SchemaNewer | null;

const Name = t.strict({ name: t.string }, 'names');

/** Runs a statement whose rows have the column `name` alone. */
export const namesOf = async (
  database: Database,
  text: string,
  ...values: Statement['values']
): Outcome<readonly string[]> => {
  const rows = await rowsOf(database, Name, text, ...values);
  return E.isLeft(rows) ? rows : E.right(rows.right.map(({ name }) => name));
};

const appliedMigrations = (database: Database): Outcome<readonly string[]> =>
  namesOf(database, 'SELECT name FROM triage.migrations ORDER BY name');

/** Compares the schema of a database. A database without a table of migrations has none applied. */
export const schemaState = async (database: Database, expected = ownMigrations): Outcome<SchemaState> => {
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
export const isDistributed = async (database: Database): Outcome<boolean> =>
  E.map((names: readonly string[]) => names.includes(distributed))(await appliedMigrations(database));
