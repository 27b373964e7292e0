import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import { Integer } from '../../codecs/numbers.js';
import type { StorageError } from '../port.js';
import { deleteRowsOfTenant, forgetTenant } from './citus/delete-tenant-rows.js';
import { type Engine, engineOf } from './citus/engine.js';
import type { Database } from './database.js';
import { hasCode } from './database-error.js';
import { decodeResult } from './decode-result.js';
import type { Tenant } from './find-tenant.js';

type Queryable = Pick<Database, 'query'>;

export type DeletionOptions = Readonly<{
  /** Called after each batch with the number of rows that have been deleted. */
  onProgress: (rows: number) => void;
  /** Asked before each batch. */
  shouldStop: () => boolean;
  /** The maximum number of rows per transaction. */
  batchSize?: number;
}>;

/** `isGone`: nothing of the tenant is left; false if the deletion was stopped. */
export type Deletion = Readonly<{ rows: number; isGone: boolean }>;

/** Rows per transaction: enough to amortize the commit, few enough that nobody waits long for a lock. */
const defaultBatchSize = 10_000;

/** How often a batch that lost a deadlock or a serialization conflict is tried again. */
const maxRetries = 10;

/**
 * Deletes a tenant. First it is locked out: its sessions and tokens end, and its address becomes free. Then
 * its rows are deleted in batches. A deletion that was stopped or has failed continues with the next call, or
 * with `purge`.
 */
export const deleteTenant = (
  database: Queryable,
  { id }: Tenant,
  options: DeletionOptions,
): TE.TaskEither<StorageError, Deletion> =>
  pipe(
    database.query({ text: 'SELECT triage.mark_deleted($1)', values: [id] }),
    TE.flatMap(() => engineOf(database)),
    TE.flatMap((engine) => () => deleteRows(database, id, options, deleteBatch[engine])),
  );

const deleteRows = async (
  database: Queryable,
  id: string,
  { onProgress, shouldStop, batchSize = defaultBatchSize }: DeletionOptions,
  deleteOne: DeleteBatch,
): Promise<E.Either<StorageError, Deletion>> => {
  let rows = 0;
  let retries = 0;
  while (!shouldStop()) {
    const batch = await deleteOne(database, id, batchSize)();
    if (E.isLeft(batch)) {
      if (!isConflict(batch.left) || retries === maxRetries) return batch;
      retries += 1;
      continue;
    }
    rows += batch.right.deleted;
    onProgress(rows);
    if (batch.right.is_gone) return E.right({ rows, isGone: true });
  }
  return E.right({ rows, isGone: false });
};

const Batch = t.strict({ deleted: Integer, is_gone: t.boolean }, 'batch');

type DeleteBatch = (
  database: Queryable,
  id: string,
  batchSize: number,
) => TE.TaskEither<StorageError, t.TypeOf<typeof Batch>>;

const deleteBatch: Readonly<Record<Engine, DeleteBatch>> = {
  single: (database, id, batchSize) =>
    pipe(
      database.query({
        text: 'SELECT row_to_json(b) AS batch FROM triage.delete_rows($1, $2) b',
        values: [id, batchSize],
      }),
      TE.flatMapEither(([row]) => decodeResult(t.strict({ batch: Batch }), 'delete_rows')(row)),
      TE.map(({ batch }) => batch),
    ),
  // The rows are on a worker, and the account is on the coordinator.
  citus: (database, id, batchSize) =>
    pipe(
      deleteRowsOfTenant(database, id, batchSize),
      TE.tap(({ is_gone: isGone }) => (isGone ? forgetTenant(database, id) : TE.right(false))),
    ),
};

/** Whether a transaction was rolled back because of a concurrent one. */
const isConflict = (error: StorageError): boolean =>
  error._tag === 'StorageUnavailable' && (hasCode(error.cause, '40P01') || hasCode(error.cause, '40001'));
