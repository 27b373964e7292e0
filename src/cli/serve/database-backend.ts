import * as E from '#fp-ts/Either';
import type * as TE from '#fp-ts/TaskEither';
import { noDemoAccounts } from '../../accounts/demo-rows.js';
import type { Clock } from '../../common/clock.js';
import type { Log } from '../../common/log.js';
import { timestampAt } from '../../contract/codecs/timestamp.js';
import type { Metrics } from '../../http/metrics.js';
import {
  demoTemplate,
  publishedShippedAccounts,
  readShippedDemo,
  shippedPersonas,
} from '../../server/demo-accounts.js';
import type { StorageError } from '../../storage/port.js';
import { citusAccess } from '../../storage/postgres/citus.js';
import { openDatabase, withTimeLimit } from '../../storage/postgres/database.js';
import { postgresStorage } from '../../storage/postgres/storage.js';
import { type Purged, type PurgeOptions, purge } from '../../storage/postgres/tenants.js';
import { databaseName, formatFixtureProblems } from '../output/text.js';
import { checkDatabase } from './database-checks.js';
import type { ServeBackend } from './fixture-backend.js';
import type { ServeSettings } from './settings/serve-settings.js';
import { databaseBanner } from './start-messages.js';

type HousekeepingDependencies = Readonly<{
  purge: (options: PurgeOptions) => TE.TaskEither<StorageError, Purged>;
  clock: Clock;
  log: Log;
  /** The time between two runs, in milliseconds. */
  interval?: number;
}>;

/** Runs now and then, until it is stopped. */
export type Housekeeping = Readonly<{
  /** Runs once, unless it is running; resolves when it is done. */
  run: () => Promise<void>;
  stop: () => void;
}>;

/** Small enough that a batch takes a fraction of the time limit of a statement. */
const batchSize = 500;

/**
 * Purges a database in the background of a server. Every process of several may do so. A failure does no
 * harm: the next run tries again.
 */
export const startHousekeeping = ({
  purge,
  clock,
  log,
  interval = 60_000,
}: HousekeepingDependencies): Housekeeping => {
  let isStopped = false;
  let running: Promise<void> | null = null;
  const purgeAndLog = async (): Promise<void> => {
    let purged: Purged | null = null;
    const onProgress = (sum: Purged): void => {
      purged = sum;
    };
    const result = await purge({
      at: timestampAt(clock()),
      batchSize,
      onProgress,
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
  return {
    run,
    stop: () => {
      isStopped = true;
      clearInterval(timer);
    },
  };
};

type Settings = Pick<
  ServeSettings,
  'databasePool' | 'databaseTimeout' | 'maxSignUps' | 'signUpPersonas' | 'mutableDemo'
> &
  Readonly<{ databaseUrl: string }>;

type Dependencies = Readonly<{
  clock: Clock;
  log: Log;
  metrics: Pick<Metrics, 'watchPool' | 'watchCache'> | null;
}>;

/** How often an unreachable database is tried again, in milliseconds. */
const retryInterval = 500;

/**
 * Opens a database. While it is unreachable, the server runs, answers 503 and keeps trying. A database with
 * the wrong schema, or one that rejects the user, is an error: `left` if it is found at once, else
 * `fatalError`.
 */
export const openDatabaseBackend = async (
  { databaseUrl, databasePool, databaseTimeout, maxSignUps, signUpPersonas, mutableDemo }: Settings,
  { clock, log, metrics }: Dependencies,
): Promise<E.Either<readonly string[], ServeBackend>> => {
  const demo = await readShippedDemo();
  if (E.isLeft(demo)) return E.left(formatFixtureProblems(demo.left));
  const personas = await shippedPersonas(signUpPersonas);
  if (E.isLeft(personas)) return E.left(formatFixtureProblems(personas.left));
  const name = databaseName(databaseUrl);
  const database = openDatabase(
    { url: databaseUrl, poolSize: databasePool, timeLimit: databaseTimeout },
    log,
  );
  // The connection of those who ask how the database is, which need not wait for requests.
  const probe = openDatabase({ url: databaseUrl, poolSize: 1, timeLimit: databaseTimeout }, log);
  metrics?.watchPool('database', database.connections);
  const citus = citusAccess({
    // A request takes two statements there, one after the other.
    coordinator: withTimeLimit(database, Math.ceil(databaseTimeout / 2)),
    openWorker: (node) => {
      const settings = {
        url: databaseUrl,
        poolSize: databasePool,
        timeLimit: Math.ceil(databaseTimeout / 2),
      };
      const opened = openDatabase(settings, log);
      metrics?.watchPool(`worker ${node}`, opened.connections);
      return opened;
    },
  });
  let isClosed = false;
  let housekeeping: Housekeeping | null = null;
  const close = async (): Promise<void> => {
    isClosed = true;
    housekeeping?.stop();
    await citus.close();
    await Promise.all([database.close(), probe.close()]);
  };
  const firstCheck = await checkDatabase(name, probe);
  if (firstCheck._tag === 'Unusable') {
    await close();
    return E.left([firstCheck.reason]);
  }
  let reportFatalError = (_lines: readonly string[]): void => {};
  const fatalError = new Promise<readonly string[]>((resolve) => {
    reportFatalError = resolve;
  });
  const waitUntilUsable = async (): Promise<void> => {
    while (!isClosed) {
      await new Promise((resolve) => setTimeout(resolve, retryInterval).unref());
      const check = await checkDatabase(name, probe);
      if (isClosed || check._tag === 'Unreachable') continue;
      if (check._tag === 'Unusable') reportFatalError([check.reason]);
      else log('info', 'connected to the database');
      return;
    }
  };
  return E.right({
    storage: postgresStorage(
      { database, probe, citus },
      log,
      { maxSignUps: maxSignUps ?? null },
      metrics?.watchCache,
    ),
    mode: 'database',
    demo: demoTemplate(demo.right),
    personas: personas.right,
    ...publishedShippedAccounts(mutableDemo),
    demoAccounts: () => noDemoAccounts,
    banner: (baseUrl) => databaseBanner(name, baseUrl),
    exposureRisk: null,
    onListening: () => {
      housekeeping = startHousekeeping({
        purge: (options) => purge(database, options, citus.connectionFor),
        clock,
        log,
      });
      if (firstCheck._tag === 'Usable') return;
      log('warn', `waiting for the database: ${firstCheck.reason}`);
      void waitUntilUsable();
    },
    fatalError,
    close,
  });
};
