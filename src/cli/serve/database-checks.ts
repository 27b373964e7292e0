import * as t from 'io-ts';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import { listOf } from '../../contract/codecs/combinators.js';
import type { StorageError } from '../../storage/port.js';
import { type Asked, isPermanentConnectionError, openDatabase } from '../../storage/postgres/database.js';
import { schemaProblem, schemaState } from '../../storage/postgres/schema.js';
import { decodeResult } from '../../storage/postgres/stored-records.js';
import { databaseName, formatStorageError } from '../output/text.js';

/** Whether a database can be served. `Unreachable` may pass; `Unusable` needs an operator. */
export type DatabaseCheck =
  | Readonly<{ _tag: 'Usable' }>
  | Readonly<{ _tag: 'Unreachable' | 'Unusable'; reason: string }>;

/**
 * Checks whether a database can be reached, accepts the user, and has the schema of this version. `name`: its
 * name in error messages.
 */
export const checkDatabase = (name: string, database: Asked): Promise<DatabaseCheck> =>
  pipe(
    schemaState(database),
    TE.match(
      (error): DatabaseCheck => ({
        _tag:
          error._tag === 'StorageUnavailable' && !isPermanentConnectionError(error.cause)
            ? 'Unreachable'
            : 'Unusable',
        reason: `${name}: ${formatStorageError(error)}`,
      }),
      (state): DatabaseCheck => {
        const problem = schemaProblem(state);
        return problem === null ? { _tag: 'Usable' } : { _tag: 'Unusable', reason: `${name}: ${problem}` };
      },
    ),
  )();

/** Whether the database has our tables, and some of its tables that belong to no extension. */
const tables = `
  SELECT to_regclass('triage.migrations') IS NOT NULL AND to_regclass('triage.fix_drafts') IS NOT NULL AS "isOurs",
    ARRAY(SELECT format('%I.%I', n.nspname, c.relname)
      FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'p') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
        AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d
          WHERE d.classid = 'pg_catalog.pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
      ORDER BY n.nspname, c.relname LIMIT 3) AS tables`;

const TablesRow = t.strict({ isOurs: t.boolean, tables: listOf(t.string) }, 'tables');

/**
 * Whether a database has the schema of triage-api, and a few of its tables. It changes nothing, and every
 * role may ask it.
 */
export const findTables = (database: Asked): TE.TaskEither<StorageError, t.TypeOf<typeof TablesRow>> =>
  pipe(
    database.query({ text: tables, values: [] }),
    TE.flatMapEither(([row]) => decodeResult(TablesRow, 'tables')(row)),
  );

/**
 * Why a database is not known to be one of triage-api: it has no schema of it, or cannot be queried. Null: it
 * has one, be it of another version.
 */
export const whyForeign = async (url: string, timeLimit: number): Promise<string | null> => {
  const database = openDatabase({ url, poolSize: 1, timeLimit }, () => {});
  try {
    return await pipe(
      findTables(database),
      TE.match(
        (error) => `${databaseName(url)} cannot be queried: ${formatStorageError(error)}`,
        ({ isOurs }) => (isOurs ? null : `${databaseName(url)} has no schema of triage-api`),
      ),
    )();
  } finally {
    await database.close();
  }
};
