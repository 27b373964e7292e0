import pg from 'pg';
import * as E from '#fp-ts/Either';
import type { Clock } from '../../../common/clock.js';
import type { Log } from '../../../common/log.js';
import type { Database, Statement } from '../database.js';
import { type DatabaseError, isStatementError } from '../database-error.js';

/** Statements for one worker. While it is away, all but a few are refused at once. */
export type WorkerGate = Readonly<{
  query: Database['query'];
  /** Runs a statement that no request waits for. What becomes of it says nothing about the worker. */
  inBackground: Database['query'];
  /** Whether the worker is considered to be away. */
  isAway: () => boolean;
}>;

type Dependencies = Readonly<{
  /** The name of the worker in the log. */
  name: string;
  /** A monotonic clock in milliseconds. */
  elapsed: Clock;
  log: Log;
}>;

/** How long a worker that is away is left alone before one statement tries it again, in milliseconds. */
const pause = 500;

/**
 * A statement that was cancelled may have been slow by itself. After so many in a row, with no other
 * answer in between, the worker is away.
 */
const cancelledInARow = 3;

/**
 * Lets statements through to a worker until it is away: it refuses connections, or several statements in a
 * row were not answered in time. Then one statement at a time tries it; the others fail at once, so that
 * they hold no connection while they wait for nothing.
 */
export const workerGate = (
  database: Pick<Database, 'query'>,
  { name, elapsed, log }: Dependencies,
): WorkerGate => {
  let awaySince: number | null = null;
  let cancelled = 0;
  let isTrying = false;

  const note = (result: E.Either<DatabaseError, unknown>, at: number): void => {
    if (E.isRight(result) || result.left._tag === 'StorageFailed') {
      cancelled = 0;
      if (awaySince !== null) log('info', `${name} answers again`);
      awaySince = null;
      return;
    }
    const { cause } = result.left;
    if (isNotDelegated(cause) || lacksAnotherNode(cause)) return;
    cancelled += 1;
    if (isStatementError(cause) && cancelled < cancelledInARow && awaySince === null) return;
    if (awaySince === null) log('warn', `${name} is away; its tenants get 503`, { cause: String(cause) });
    awaySince = at;
  };
  const run = async (statement: Statement): Promise<E.Either<DatabaseError, readonly unknown[]>> => {
    const result = await database.query(statement)();
    note(result, elapsed());
    return result;
  };
  return {
    query: (statement) => async () => {
      if (awaySince === null) return run(statement);
      if (isTrying || elapsed() - awaySince < pause)
        return E.left({ _tag: 'StorageUnavailable', cause: new Error(`${name} of the database is away`) });
      isTrying = true;
      try {
        return await run(statement);
      } finally {
        isTrying = false;
      }
    },
    inBackground: (statement) =>
      awaySince === null
        ? database.query(statement)
        : async () =>
            E.left({ _tag: 'StorageUnavailable', cause: new Error(`${name} of the database is away`) }),
    isAway: () => awaySince !== null,
  };
};

/** Whether a function ran on a node that does not have the tenant: its shard has just moved. */
export const isNotDelegated = (cause: unknown): boolean => Object(cause).code === '55T01';

/**
 * Whether a worker reports that it could not connect to another node: a function had begun when its shard
 * moved there. Citus adds this line to whatever a worker reports.
 */
const lacksAnotherNode = (cause: unknown): boolean =>
  cause instanceof pg.DatabaseError &&
  cause.code?.startsWith('08') === true &&
  /^while executing command on /m.test(cause.where ?? '');
