import pg from 'pg';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import type { Database } from '../../storage/postgres/database.js';
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

/**
 * Whether connecting can never succeed with these settings: wrong password, missing database, TLS failure,
 * unreadable certificate.
 */
const isPermanentConnectionError = (error: unknown): boolean => {
  if (error instanceof pg.DatabaseError) return /^(?:28|3D)/.test(error.code ?? '');
  if (!(error instanceof Error)) return false;
  const { code = '', syscall = '' }: Readonly<{ code?: unknown; syscall?: unknown }> = Object(error);
  return (
    syscall === 'open' ||
    /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(String(code)) ||
    /does not support SSL/.test(error.message)
  );
};
