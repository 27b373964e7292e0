import { readFileSync } from 'node:fs';
import * as E from '#fp-ts/Either';
import type { StorageError } from '../../api/storage-port.js';
import type { Clock } from '../../common/clock.js';
import type { Log } from '../../common/log.js';
import { runEvery, runLater } from '../../common/timers.js';
import { timestampAt } from '../../contract/codecs/timestamp.js';
import { citusAccess } from '../../postgres/citus.js';
import { type Database, having, openDatabase } from '../../postgres/database.js';
import { schemaProblem, schemaState } from '../../postgres/schema.js';
import { postgresStorage } from '../../postgres/storage.js';
import { type Purged, type PurgeOptions, purge } from '../../postgres/tenants.js';
import { databaseName, formatStorageError } from '../output/text.js';
import {
  type BackendDependencies,
  type OpenedBackend,
  type ServeBackend,
  shippedAccounts,
} from './backend.js';
import type { ServeSettings } from './serve-options.js';
import { signUpBanner } from './start-messages.js';

/** Why a database cannot be served, and whether that may pass without an operator; null if it can be. */
type DatabaseProblem = Readonly<{ reason: string; mayPass: boolean }> | null;

/** Whether a database can be reached, accepts the user, and has the schema of this version. */
const problemOf = async (name: string, database: Database): Promise<DatabaseProblem> => {
  const state = await schemaState(database);
  if (E.isLeft(state))
    return {
      reason: `${name}: ${formatStorageError(state.left)}`,
      mayPass:
        state.left._tag === 'StorageBusy' ||
        (state.left._tag === 'StorageUnavailable' && !isPermanentConnectionError(state.left.cause)),
    };
  const problem = schemaProblem(state.right);
  return problem === null ? null : { reason: `${name}: ${problem}`, mayPass: false };
};

/** Whether connecting can never succeed: wrong password, no such database, TLS failure, bad certificate. */
const isPermanentConnectionError = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const { code = '', syscall = '' }: Readonly<{ code?: unknown; syscall?: unknown }> = Object(error);
  return (
    syscall === 'open' ||
    /^(?:28|3D|ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(String(code)) ||
    /does not support SSL/.test(error.message)
  );
};

const elapsed = (): number => performance.now();

/** How often an unreachable database is tried again, in milliseconds. */
const retryInterval = 500;

/**
 * Opens a database. While it is unreachable, the server runs, answers 503 and keeps trying. A database with
 * the wrong schema, or one that rejects the user, is an error: `left` if it is found at once, else it stops
 * the server.
 */
export const openDatabaseBackend = async (
  url: string,
  settings: ServeSettings,
  { simulated, log, metrics }: BackendDependencies,
): Promise<OpenedBackend> => {
  const { databasePool, databaseTimeout, databaseUrlFile, maxSignUps = null } = settings;
  const accounts = await shippedAccounts(settings);
  if (E.isLeft(accounts)) return accounts;
  const name = databaseName(url);
  const readUrl = () => (databaseUrlFile === undefined ? url : readFileSync(databaseUrlFile, 'utf8').trim());
  const open = (timeLimit: number) =>
    openDatabase({ url, readUrl, poolSize: databasePool, timeLimit, elapsed }, log);
  const database = open(databaseTimeout);
  const probe = having({ group: null }, database);
  metrics?.watchPool('database', database.connections);
  // A request takes two statements there, one after the other.
  const timeLimit = Math.ceil(databaseTimeout / 2);
  const citus = citusAccess({
    coordinator: having({ timeLimit }, database),
    openWorker: (node) => {
      const opened = open(timeLimit);
      metrics?.watchPool(`worker ${node}`, opened.connections);
      return opened;
    },
  });
  let isClosed = false;
  let housekeeping: ReturnType<typeof startHousekeeping> | null = null;
  const close = async (): Promise<void> => {
    isClosed = true;
    housekeeping?.stop();
    await citus.close();
    await database.close();
  };
  const first = await problemOf(name, probe);
  if (first?.mayPass === false) {
    await close();
    return E.left([first.reason]);
  }
  const work: ServeBackend['work'] = async (stop) => {
    housekeeping = startHousekeeping({
      purge: (options) => purge(database, options, citus.connectionFor),
      clock: simulated.now,
      log,
    });
    if (first === null) return;
    log('warn', `waiting for the database: ${first.reason}`);
    let problem: DatabaseProblem = first;
    while (problem?.mayPass === true && !isClosed) {
      await new Promise<void>((resolve) => runLater(retryInterval, resolve));
      problem = await problemOf(name, probe);
    }
    if (isClosed) return;
    if (problem === null) log('info', 'connected to the database');
    else stop(problem.reason);
  };
  return E.right({
    ...accounts.right,
    storage: postgresStorage({ database, citus }, log, { maxSignUps }),
    banner: (baseUrl) => signUpBanner(`data from the database ${name}`, baseUrl),
    work,
    close,
  });
};

/** Small enough that a batch takes a fraction of the time limit of a statement. */
const batchSize = 500;

type HousekeepingDependencies = Readonly<{
  purge: (options: PurgeOptions) => Promise<E.Either<StorageError, Purged>>;
  clock: Clock;
  log: Log;
  /** The time between two runs, in milliseconds. */
  interval?: number;
}>;

/**
 * Purges a database now and then in the background of a server, until it is stopped. Every process of several
 * may do so. A failure does no harm: the next run tries again. `run` runs once, unless it is running, and
 * resolves when it is done.
 */
export const startHousekeeping = ({ purge, clock, log, interval = 60_000 }: HousekeepingDependencies) => {
  let isStopped = false;
  let running: Promise<void> | null = null;
  const purgeAndLog = async (): Promise<void> => {
    let purged: Purged | null = null;
    const result = await purge({
      at: timestampAt(clock()),
      batchSize,
      onProgress: (sum) => {
        purged = sum;
      },
      shouldStop: () => isStopped,
    });
    if (purged !== null) log('info', 'purged the database', purged);
    if (E.isRight(result) || isStopped) return;
    // A database that is unavailable, busy or read-only is reported by the requests that need it.
    const { _tag } = result.left;
    const level = _tag === 'StorageFailed' || _tag === 'RecordBroken' ? 'warn' : 'debug';
    const cause = result.left._tag === 'RecordBroken' ? result.left.where : String(result.left.cause);
    log(level, 'the database was not purged', { cause });
  };
  const run = (): Promise<void> => {
    running ??= purgeAndLog().finally(() => {
      running = null;
    });
    return running;
  };
  const cancel = runEvery(interval, () => void run());
  const stop = (): void => {
    isStopped = true;
    cancel();
  };
  return { run, stop };
};
