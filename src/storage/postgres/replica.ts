import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import type { Clock } from '../../common/clock.js';
import type { Log } from '../../common/log.js';
import type { NotReady, Storage } from '../port.js';
import { canary, checkSchema } from './canary.js';
import { type Database, withTimeLimit } from './database.js';
import { type DatabaseError, isStatementError } from './database-error.js';
import { lagMeter } from './replica-lag.js';

type Asked = Pick<Database, 'query'>;

/** The replica that the API reads. */
export type Replica = Readonly<{
  /** Whether reads go to the replica now, rather than to the primary. */
  isRead: () => boolean;
  /** Runs a read. */
  query: Database['query'];
  /** The primary, for what a request asks there before it reads the replica. */
  primary: Asked;
  /** What must succeed for requests to be served. */
  ready: Storage['ready'];
}>;

/** A replica that the primary stands in for. */
export type WatchedReplica = Replica &
  Readonly<{
    /** Asks the replica how it is, and decides whether it is read from now on. */
    check: () => Promise<void>;
  }>;

/**
 * A replica that alone is read, however far it is behind: without it, reads fail. `probe`: a connection to it
 * that need not wait for requests.
 */
export const onlyReplica = (primary: Database, replica: Database, probe: Asked = replica): Replica => ({
  isRead: () => true,
  query: replica.query,
  primary,
  ready: () => canary(probe),
});

type Settings = Readonly<{
  primary: Database;
  replica: Database;
  /** Connections that need not wait for requests. */
  probes: Readonly<{ primary: Asked; replica: Asked }>;
  /** How far behind the primary a replica that is read may be, in milliseconds. */
  maxLag: number;
  /**
   * The time limit of a statement on the primary before or after the replica was asked, in milliseconds. A
   * request can take three in all: its credentials, the replica, and the primary in its place.
   */
  timeLimit: number;
}>;

type Dependencies = Readonly<{
  /** A monotonic clock in milliseconds. */
  elapsed: Clock;
  log: Log;
}>;

/**
 * A replica that is left out while it cannot be reached, has another schema or is too far behind. The primary
 * answers in its place, also those requests that notice it first. Each change is logged once.
 */
export const replicaWithFallback = (
  { primary, replica, probes, maxLag, timeLimit }: Settings,
  { elapsed, log }: Dependencies,
): WatchedReplica => {
  let isRead = true;
  const leaveOut = (reason: string): void => {
    if (isRead) log('warn', 'the replica is left out; the primary answers instead', { reason });
    isRead = false;
  };
  const readAgain = (): void => {
    if (!isRead) log('info', 'the replica is read again');
    isRead = true;
  };

  const hurriedPrimary = withTimeLimit(primary, timeLimit);
  const isTooFarBehind = lagMeter(probes, maxLag, elapsed);
  return {
    isRead: () => isRead,
    query: (statement) =>
      pipe(
        replica.query(statement),
        TE.orElse((error): TE.TaskEither<DatabaseError, readonly unknown[]> => {
          if (error._tag !== 'StorageUnavailable') return TE.left(error);
          if (!isStatementError(error.cause)) leaveOut(reasonOf(error));
          return hurriedPrimary.query(statement);
        }),
      ),
    primary: hurriedPrimary,
    ready: () => TE.right(undefined),
    check: pipe(
      checkSchema(probes.replica),
      TE.flatMap(() => isTooFarBehind),
      TE.match(
        (error) => leaveOut(reasonOf(error)),
        (isBehind) => {
          if (isBehind === true) leaveOut(`it is more than ${maxLag} ms behind the primary`);
          if (isBehind === false) readAgain();
        },
      ),
    ),
  };
};

const reasonOf = (error: NotReady): string => {
  switch (error._tag) {
    case 'SchemaOlder':
      return `its schema is older than this version (not applied: ${error.missing.join(', ')})`;
    case 'RecordBroken':
      return `${error.where} has an unexpected form`;
    default:
      return String(error.cause);
  }
};
