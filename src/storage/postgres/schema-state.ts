import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import * as t from 'io-ts';
import { listOf } from '../../codecs/list.js';
import type { StorageError } from '../port.js';
import { answerOf } from './answer-of.js';
import type { Database, Statement } from './database.js';
import { hasCode } from './database-error.js';
import { migrationNames } from './migrations.js';

/** How the schema of a database compares to the one that this version works with. */
export type SchemaState =
  | Readonly<{ _tag: 'Current' }>
  /** These migrations have not been applied. */
  | Readonly<{ _tag: 'Older'; missing: readonly string[] }>
  /** These have been applied, by a later version. */
  | Readonly<{ _tag: 'Newer'; unknown: readonly string[] }>;

/** The table of migrations that have been applied, kept by the library that applies them. */
export const migrationsTable = { schema: 'triage', table: 'migrations' } as const;

const applied: Statement = {
  text: `SELECT name FROM ${migrationsTable.schema}.${migrationsTable.table} ORDER BY id`,
  values: [],
};

const Applied = listOf(t.strict({ name: t.string }, 'migration'));

/** Looks at which migrations have been applied; none where there is no such table. */
export const schemaState = (database: Pick<Database, 'ask'>): TE.TaskEither<StorageError, SchemaState> =>
  pipe(
    database.ask(applied),
    TE.orElse((error) => (isMissing(error.cause) ? TE.right([]) : TE.left(error))),
    TE.flatMapEither(answerOf(Applied, 'migrations')),
    TE.map((rows) => rows.map(({ name }) => name)),
    TE.flatMap((names) => TE.fromTask(async () => compared(names, await migrationNames()))),
  );

const isMissing = (cause: unknown): boolean => hasCode(cause, '42P01') || hasCode(cause, '3F000');

const compared = (names: readonly string[], expected: readonly string[]): SchemaState => {
  const unknown = names.filter((name) => !expected.includes(name));
  if (unknown.length > 0) return { _tag: 'Newer', unknown };
  const missing = expected.filter((name) => !names.includes(name));
  return missing.length > 0 ? { _tag: 'Older', missing } : { _tag: 'Current' };
};

/** What is wrong with a schema, and the way out; null: nothing. */
export const schemaProblem = (state: SchemaState): string | null => {
  switch (state._tag) {
    case 'Current':
      return null;
    case 'Older':
      return `the schema of the database is older than this version of triage-api (not applied: ${state.missing.join(', ')}); run: triage-api migrate`;
    case 'Newer':
      return `the schema of the database is newer than this version of triage-api (it has ${state.unknown.join(', ')}); run a newer version`;
  }
};
