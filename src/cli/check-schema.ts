import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { Database } from '../storage/postgres/database.js';
import { isPermanentConnectionError } from '../storage/postgres/database-error.js';
import { schemaProblem, schemaState } from '../storage/postgres/schema-state.js';
import { storageErrorText } from './storage-error-text.js';

/** What a look at a database has found; `reason` says in a line what is wrong. */
export type SchemaCheck = Readonly<{ _tag: 'Fits' | 'Unreachable' | 'Refused'; reason: string }>;

/**
 * Looks whether a database is there, lets us in, and has the schema of this version. A copy may be behind: what its original
 * has already, it will have in a moment.
 */
export const checkSchema = (
  name: string,
  database: Pick<Database, 'query'>,
  isCopy: boolean,
): Promise<SchemaCheck> =>
  pipe(
    schemaState(database),
    TE.match(
      (error): SchemaCheck => ({
        _tag:
          error._tag === 'StorageUnavailable' && !isPermanentConnectionError(error.cause)
            ? 'Unreachable'
            : 'Refused',
        reason: `${name}: ${storageErrorText(error)}`,
      }),
      (state): SchemaCheck => {
        const problem = schemaProblem(state);
        return problem === null
          ? { _tag: 'Fits', reason: '' }
          : {
              _tag: isCopy && state._tag === 'Older' ? 'Unreachable' : 'Refused',
              reason: `${name}: ${problem}`,
            };
      },
    ),
  )();
