import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import { Integer } from '../../codecs/numbers.js';
import type { Timestamp } from '../../codecs/timestamp.js';
import type { StorageError } from '../port.js';
import type { Database } from './database.js';
import { decodeResult } from './decode-result.js';

const Purged = t.strict({ sessions: Integer, tenants: Integer, rows: Integer }, 'purged');

/** How many expired sessions, and tenants and rows whose deletion was not finished, have been deleted. */
export type Purged = t.TypeOf<typeof Purged>;

export const nothing: Purged = { sessions: 0, tenants: 0, rows: 0 };

export type PurgeOptions = Readonly<{
  /** Sessions that have expired by then are deleted, but none that is valid now. */
  at: Timestamp;
  /** The maximum number of sessions, and of rows, per transaction. */
  batchSize: number;
  /** Called after each batch with what has been deleted so far. */
  onProgress: (purged: Purged) => void;
  /** Asked before each batch. */
  shouldStop: () => boolean;
}>;

/**
 * Deletes the expired sessions of all tenants, and finishes deletions of tenants that were interrupted, in
 * batches. Several processes can do so at once: each skips what another one is working on. Returns what it
 * has deleted; `left` if a batch has failed, and the batches before it stay deleted.
 */
export const purge =
  (
    database: Pick<Database, 'query'>,
    { at, batchSize, onProgress, shouldStop }: PurgeOptions,
  ): TE.TaskEither<StorageError, Purged> =>
  async () => {
    let sum = nothing;
    while (!shouldStop()) {
      const batch = await purgeBatch(database, at, batchSize)();
      if (E.isLeft(batch)) return batch;
      const { sessions, tenants, rows } = batch.right;
      if (sessions + tenants + rows === 0) break;
      sum = { sessions: sum.sessions + sessions, tenants: sum.tenants + tenants, rows: sum.rows + rows };
      onProgress(sum);
    }
    return E.right(sum);
  };

const purgeBatch = (
  database: Pick<Database, 'query'>,
  at: Timestamp,
  batchSize: number,
): TE.TaskEither<StorageError, Purged> =>
  pipe(
    database.query({ text: 'SELECT triage.purge($1, $2) AS purged', values: [at, batchSize] }),
    TE.flatMapEither(([row]) => decodeResult(t.strict({ purged: Purged }), 'purge')(row)),
    TE.map(({ purged }) => purged),
  );
