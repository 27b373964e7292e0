import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import { type Database, isPermanentConnectionError } from '../../storage/postgres/database.js';
import { schemaProblem, schemaState } from '../../storage/postgres/schema.js';
import { formatStorageError } from '../output/database.js';

/** Whether a database can be served. `Unreachable` may pass; `Unusable` needs an operator. */
export type DatabaseCheck =
  | Readonly<{ _tag: 'Usable' }>
  | Readonly<{ _tag: 'Unreachable' | 'Unusable'; reason: string }>;

/**
 * Checks whether a database can be reached, accepts the user, and has the schema of this version. `name`: its
 * name in error messages.
 */
export const checkDatabase = (name: string, database: Pick<Database, 'query'>): Promise<DatabaseCheck> =>
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
