import * as E from '#fp-ts/Either';
import { noDemoAccounts } from '../../accounts/demo-rows.js';
import type { Clock } from '../../common/clock.js';
import type { Log } from '../../common/log.js';
import type { Metrics } from '../../http/metrics.js';
import {
  demoTemplate,
  publishedShippedAccounts,
  readShippedDemo,
  shippedPersonas,
} from '../../server/demo-accounts.js';
import { citusAccess } from '../../storage/postgres/citus.js';
import { openDatabase, withTimeLimit } from '../../storage/postgres/database.js';
import { postgresStorage } from '../../storage/postgres/storage.js';
import { purge } from '../../storage/postgres/tenants.js';
import { databaseName } from '../output/database.js';
import { formatFixtureProblems } from '../output/fixtures.js';
import { databaseBanner } from './banner.js';
import { checkDatabase } from './check-database.js';
import { type Housekeeping, startHousekeeping } from './housekeeping.js';
import type { ServeBackend } from './serve-backend.js';
import type { ServeSettings } from './settings/serve-settings.js';

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
