import * as E from 'fp-ts/lib/Either.js';
import type { Clock } from '../../common/clock.js';
import type { Log } from '../../common/log.js';
import { demoTemplate, readShippedDemo } from '../../server/demo-data.js';
import { openDatabase } from '../../storage/postgres/database.js';
import { foldCountsInBackground } from '../../storage/postgres/fold-counts.js';
import { startHousekeeping } from '../../storage/postgres/housekeeping.js';
import { postgresStorage } from '../../storage/postgres/postgres-storage.js';
import { databaseName } from '../output/database.js';
import { formatFixtureProblems } from '../output/fixtures.js';
import { databaseBanner } from './banner.js';
import { checkDatabases } from './check-database.js';
import type { ServeBackend } from './serve-backend.js';
import type { ServeSettings } from './serve-settings.js';

type Settings = Pick<ServeSettings, 'readDatabaseUrl' | 'databasePool' | 'databaseTimeout' | 'maxSignUps'> &
  Readonly<{ databaseUrl: string }>;

/** How often an unreachable database is tried again, in milliseconds. */
const retryInterval = 500;

/**
 * Opens a database, and its replica if there is one. While the database is unreachable, the server runs,
 * answers 503 and keeps trying. A database with the wrong schema, or one that rejects the user, is an error:
 * `left` if it is found at once, else `fatalError`.
 */
export const openDatabaseBackend = async (
  { databaseUrl, readDatabaseUrl, databasePool, databaseTimeout, maxSignUps }: Settings,
  log: Log,
  clock: Clock,
): Promise<E.Either<readonly string[], ServeBackend>> => {
  const demo = await readShippedDemo();
  if (E.isLeft(demo)) return E.left(formatFixtureProblems(demo.left));
  // With a replica, a request queries both databases and must still be answered within the timeout.
  const timeLimit = Math.ceil(databaseTimeout / (readDatabaseUrl === undefined ? 1 : 2));
  const open = (url: string, isReplica: boolean) => ({
    name: databaseName(url),
    database: openDatabase({ url, poolSize: databasePool, timeLimit }, log),
    isReplica,
  });
  const primary = open(databaseUrl, false);
  const replica = readDatabaseUrl === undefined ? null : open(readDatabaseUrl, true);
  const databases = replica === null ? [primary] : [primary, replica];

  let isClosed = false;
  let stopHousekeeping = (): void => {};
  let folding: ReturnType<typeof foldCountsInBackground> | null = null;
  const close = async (): Promise<void> => {
    isClosed = true;
    stopHousekeeping();
    await folding?.stop();
    await Promise.all(databases.map(({ database }) => database.close()));
  };
  const firstCheck = await checkDatabases(databases);
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
      const check = await checkDatabases(databases);
      if (isClosed || check._tag === 'Unreachable') continue;
      if (check._tag === 'Unusable') reportFatalError([check.reason]);
      else log('info', 'connected to the database');
      return;
    }
  };
  return E.right({
    storage: postgresStorage({ primary: primary.database, replica: replica?.database ?? null }, log, {
      maxSignUps: maxSignUps ?? null,
    }),
    mode: 'database',
    demo: demoTemplate(demo.right),
    demoAccounts: () => [],
    banner: (baseUrl) => databaseBanner(primary.name, replica?.name ?? null, baseUrl),
    exposureRisk: null,
    onListening: () => {
      folding = foldCountsInBackground(primary.database, log);
      stopHousekeeping = startHousekeeping({ database: primary.database, clock, log }).stop;
      if (firstCheck._tag === 'Usable') return;
      log('warn', `waiting for the database: ${firstCheck.reason}`);
      void waitUntilUsable();
    },
    fatalError,
    close,
  });
};
