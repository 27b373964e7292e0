import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import type { Database } from '../../storage/postgres/database.js';
import { isPermanentConnectionError } from '../../storage/postgres/database-error.js';
import { schemaProblem, schemaState } from '../../storage/postgres/schema-state.js';
import { formatStorageError } from '../output/database.js';

/** Whether a database can be served. `Unreachable` may pass; `Unusable` needs an operator. */
export type DatabaseCheck =
  | Readonly<{ _tag: 'Usable' }>
  | Readonly<{ _tag: 'Unreachable' | 'Unusable'; reason: string }>;

/** A database to check. */
export type CheckedDatabase = Readonly<{
  /** Its name in error messages. */
  name: string;
  database: Pick<Database, 'query'>;
  isReplica: boolean;
}>;

/**
 * Checks whether a database can be reached, accepts the user, and has the schema of this version. The schema
 * of a replica may be older for a moment, until the migrations arrive from its primary.
 */
export const checkDatabase = ({ name, database, isReplica }: CheckedDatabase): Promise<DatabaseCheck> =>
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
        if (problem === null) return { _tag: 'Usable' };
        return {
          _tag: isReplica && state._tag === 'Older' ? 'Unreachable' : 'Unusable',
          reason: `${name}: ${problem}`,
        };
      },
    ),
  )();

/** The result of the first database that is not usable, if there is one. */
export const checkDatabases = async (databases: readonly CheckedDatabase[]): Promise<DatabaseCheck> => {
  for (const each of databases) {
    const check = await checkDatabase(each);
    if (check._tag !== 'Usable') return check;
  }
  return { _tag: 'Usable' };
};
