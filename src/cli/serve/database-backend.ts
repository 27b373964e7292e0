import { setTimeout } from 'node:timers/promises';
import * as E from '#fp-ts/Either';
import type * as TE from '#fp-ts/TaskEither';
import type { Clock } from '../../common/clock.js';
import type { Log } from '../../common/log.js';
import { timestampAt } from '../../contract/codecs/timestamp.js';
import type { StorageError } from '../../storage/port.js';
import { citusAccess } from '../../storage/postgres/citus.js';
import { openDatabase, withTimeLimit } from '../../storage/postgres/database.js';
import { postgresStorage } from '../../storage/postgres/storage.js';
import { type Purged, type PurgeOptions, purge } from '../../storage/postgres/tenants.js';
import { databaseName } from '../output/text.js';
import { type BackendDependencies, neverStops, type OpenedBackend, shippedAccounts } from './backend.js';
import { checkDatabase, type DatabaseCheck } from './database-checks.js';
import type { ServeSettings } from './serve-settings.js';
import { signUpBanner } from './start-messages.js';

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
  const { databasePool, databaseTimeout, maxSignUps = null } = settings;
  const accounts = await shippedAccounts(settings);
  if (E.isLeft(accounts)) return accounts;
  const name = databaseName(url);
  const database = openDatabase({ url, poolSize: databasePool, timeLimit: databaseTimeout }, log);
  // The connection of those who ask how the database is, which need not wait for requests.
  const probe = openDatabase({ url, poolSize: 1, timeLimit: databaseTimeout }, log);
  metrics?.watchPool('database', database.connections);
  // A request takes two statements there, one after the other.
  const timeLimit = Math.ceil(databaseTimeout / 2);
  const citus = citusAccess({
    coordinator: withTimeLimit(database, timeLimit),
    openWorker: (node) => {
      const opened = openDatabase({ url, poolSize: databasePool, timeLimit }, log);
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
    await Promise.all([database.close(), probe.close()]);
  };
  const first = await checkDatabase(name, probe);
  if (first._tag === 'Unusable') {
    await close();
    return E.left([first.reason]);
  }
  const work = async (): Promise<readonly string[]> => {
    housekeeping = startHousekeeping({
      purge: (options) => purge(database, options, citus.connectionFor),
      clock: simulated.now,
      log,
    });
    if (first._tag === 'Usable') return neverStops();
    log('warn', `waiting for the database: ${first.reason}`);
    let check: DatabaseCheck = first;
    while (check._tag === 'Unreachable' && !isClosed) {
      await setTimeout(retryInterval, null, { ref: false });
      check = await checkDatabase(name, probe);
    }
    if (isClosed) return neverStops();
    if (check._tag === 'Unusable') return [check.reason];
    log('info', 'connected to the database');
    return neverStops();
  };
  return E.right({
    ...accounts.right,
    storage: postgresStorage({ database, probe, citus }, log, { maxSignUps }, metrics?.watchCache),
    banner: (baseUrl) => signUpBanner(`data from the database ${name}`, baseUrl),
    work,
    close,
  });
};

/** Small enough that a batch takes a fraction of the time limit of a statement. */
const batchSize = 500;

type HousekeepingDependencies = Readonly<{
  purge: (options: PurgeOptions) => TE.TaskEither<StorageError, Purged>;
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
    })();
    if (purged !== null) log('info', 'purged the database', purged);
    if (E.isRight(result) || isStopped) return;
    // An unavailable database is reported by the requests that need it.
    const level = result.left._tag === 'StorageUnavailable' ? 'debug' : 'warn';
    const cause = result.left._tag === 'RecordBroken' ? result.left.where : String(result.left.cause);
    log(level, 'the database was not purged', { cause });
  };
  const run = (): Promise<void> => {
    running ??= purgeAndLog().finally(() => {
      running = null;
    });
    return running;
  };
  const timer = setInterval(() => void run(), interval).unref();
  const stop = (): void => {
    isStopped = true;
    clearInterval(timer);
  };
  return { run, stop };
};
