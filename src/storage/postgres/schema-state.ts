import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as t from 'io-ts';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import { listOf } from '../../codecs/list.js';
import { compareCodePoints } from '../../common/compare-code-points.js';
import type { StorageError } from '../port.js';
import type { Database, Statement } from './database.js';
import { hasCode } from './database-error.js';
import { decodeResult } from './decode-result.js';

/**
 * The folder of the SQL migrations. They are read from `src`, because the compiler does not copy them to
 * `build`.
 */
export const migrationsFolder = fileURLToPath(
  new URL('../../../../src/storage/postgres/migrations', import.meta.url),
);

/** The names of the migrations of this version, in order. */
export const migrationNames = async (): Promise<readonly string[]> =>
  (await readdir(migrationsFolder))
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -'.sql'.length))
    .sort(compareCodePoints);

/** How the schema of a database compares with the schema of this version. */
export type SchemaState =
  | Readonly<{ _tag: 'Current' }>
  /** These migrations have not been applied. */
  | Readonly<{ _tag: 'Older'; missing: readonly string[] }>
  /** These migrations have been applied by a later version. */
  | Readonly<{ _tag: 'Newer'; unknown: readonly string[] }>;

const appliedMigrations: Statement = {
  text: 'SELECT name FROM triage.migrations ORDER BY id',
  values: [],
};

const AppliedMigrations = listOf(t.strict({ name: t.string }, 'migration'));

/** Compares the schema of a database. A database without a table of migrations has none applied. */
export const schemaState = (database: Pick<Database, 'query'>): TE.TaskEither<StorageError, SchemaState> =>
  pipe(
    database.query(appliedMigrations),
    TE.orElse((error) => (isMissingTable(error.cause) ? TE.right([]) : TE.left(error))),
    TE.flatMapEither(decodeResult(AppliedMigrations, 'migrations')),
    TE.map((rows) => rows.map(({ name }) => name)),
    TE.flatMap((names) => TE.fromTask(async () => compare(names, await migrationNames()))),
  );

const isMissingTable = (cause: unknown): boolean => hasCode(cause, '42P01') || hasCode(cause, '3F000');

const compare = (applied: readonly string[], expected: readonly string[]): SchemaState => {
  const unknown = applied.filter((name) => !expected.includes(name));
  if (unknown.length > 0) return { _tag: 'Newer', unknown };
  const missing = expected.filter((name) => !applied.includes(name));
  return missing.length > 0 ? { _tag: 'Older', missing } : { _tag: 'Current' };
};

/** Why a schema cannot be used, and what to do; null for the current schema. */
export const schemaProblem = (state: SchemaState): string | null => {
  switch (state._tag) {
    case 'Current':
      return null;
    case 'Older':
      return (
        'the schema of the database is older than this version of triage-api ' +
        `(not applied: ${state.missing.join(', ')}); run: triage-api migrate`
      );
    case 'Newer':
      return (
        'the schema of the database is newer than this version of triage-api ' +
        `(it has ${state.unknown.join(', ')}); run a newer version`
      );
  }
};
