import * as E from '#fp-ts/Either';
import { noDemoAccounts } from '../../accounts/demo-accounts.js';
import type { Clock } from '../../common/clock.js';
import type { Log } from '../../common/log.js';
import type { BackendMetrics } from '../../metrics/backend-metrics.js';
import { demoTemplate, readShippedDemo } from '../../server/demo-data.js';
import { shippedPersonas } from '../../server/personas.js';
import { publishedShippedAccounts } from '../../server/shipped-accounts.js';
import { citusAccess } from '../../storage/postgres/citus/citus-access.js';
import { openDatabase, withTimeLimit } from '../../storage/postgres/database.js';
import { postgresStorage } from '../../storage/postgres/postgres-storage.js';
import { onlyReplica, replicaWithFallback } from '../../storage/postgres/replica.js';
import { databaseName } from '../output/database.js';
import { formatFixtureProblems } from '../output/fixtures.js';
import { startBackgroundWork } from './background-work.js';
import { databaseBanner } from './banner.js';
import { type CheckedDatabase, checkDatabase, checkDatabases } from './check-database.js';
import type { ServeBackend } from './serve-backend.js';
import type { ServeSettings } from './settings/serve-settings.js';

type Settings = Pick<
  ServeSettings,
  | 'readDatabaseUrl'
  | 'maxReplicaLag'
  | 'replicaFallback'
  | 'databasePool'
  | 'databaseTimeout'
  | 'maxSignUps'
  | 'signUpPersonas'
  | 'mutableDemo'
> &
  Readonly<{ databaseUrl: string }>;

type Dependencies = Readonly<{
  clock: Clock;
  /** A monotonic clock in milliseconds. */
  elapsed: Clock;
  log: Log;
  metrics: Pick<BackendMetrics, 'watchPool' | 'watchCache'> | null;
}>;

/** How often an unreachable database is tried again, in milliseconds. */
const retryInterval = 500;

/** How often a replica is asked how far behind it is, in milliseconds: several times within its limit. */
const checkInterval = (maxReplicaLag: number): number => Math.min(2000, Math.floor(maxReplicaLag / 4));

/**
 * Opens a database, and its replica if there is one. While the database is unreachable, the server runs,
 * answers 503 and keeps trying. A database with the wrong schema, or one that rejects the user, is an error:
 * `left` if it is found at once, else `fatalError`. The same holds for a replica that nothing stands in for.
 */
export const openDatabaseBackend = async (
  {
    databaseUrl,
    readDatabaseUrl,
    maxReplicaLag,
    replicaFallback,
    databasePool,
    databaseTimeout,
    maxSignUps,
    signUpPersonas,
    mutableDemo,
  }: Settings,
  { clock, elapsed, log, metrics }: Dependencies,
): Promise<E.Either<readonly string[], ServeBackend>> => {
  const demo = await readShippedDemo();
  if (E.isLeft(demo)) return E.left(formatFixtureProblems(demo.left));
  const personas = await shippedPersonas(signUpPersonas);
  if (E.isLeft(personas)) return E.left(formatFixtureProblems(personas.left));
  const open = (url: string, timeLimit: number) => ({
    name: databaseName(url),
    database: openDatabase({ url, poolSize: databasePool, timeLimit }, log),
    // The connection of those who ask how the database is, which need not wait for requests.
    probe: openDatabase({ url, poolSize: 1, timeLimit }, log),
  });
  // A request must be answered within the timeout, however many statements it takes, one after another: with
  // a replica two, and a third if the primary stands in.
  const hasFallback = readDatabaseUrl !== undefined && replicaFallback;
  const share = Math.ceil(databaseTimeout / (readDatabaseUrl === undefined ? 1 : hasFallback ? 3 : 2));
  const primary = open(databaseUrl, hasFallback ? databaseTimeout : share);
  const replica = readDatabaseUrl === undefined ? null : open(readDatabaseUrl, share);
  const databases = replica === null ? [primary] : [primary, replica];
  metrics?.watchPool('primary', primary.database.connections);
  if (replica !== null) metrics?.watchPool('replica', replica.database.connections);
  const checked: readonly CheckedDatabase[] = databases.map(({ name, probe }, index) => ({
    name,
    database: probe,
    isReplica: index > 0,
  }));
  const citus = citusAccess({
    // A request takes two statements there, one after the other.
    coordinator: withTimeLimit(primary.database, Math.ceil(databaseTimeout / 2)),
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
    elapsed,
    log,
  });
  const required = hasFallback ? checked.slice(0, 1) : checked;
  let isClosed = false;
  const watched =
    replica === null || !hasFallback
      ? null
      : replicaWithFallback(
          {
            primary: primary.database,
            replica: replica.database,
            probes: { primary: primary.probe, replica: replica.probe },
            maxLag: maxReplicaLag,
            timeLimit: share,
          },
          { elapsed, log: (...entry) => (isClosed ? undefined : log(...entry)) },
        );

  let background: ReturnType<typeof startBackgroundWork> | null = null;
  const close = async (): Promise<void> => {
    isClosed = true;
    await background?.stop();
    await citus.close();
    await Promise.all(databases.flatMap(({ database, probe }) => [database.close(), probe.close()]));
  };
  const firstChecks = await Promise.all(checked.map(checkDatabase));
  const unusable = firstChecks.find((check) => check._tag === 'Unusable');
  if (unusable?._tag === 'Unusable') {
    await close();
    return E.left([unusable.reason]);
  }
  if (firstChecks[0]?._tag === 'Usable') {
    const engine = await citus.engine();
    if (E.isRight(engine) && engine.right === 'citus' && readDatabaseUrl !== undefined) {
      await close();
      return E.left([
        `${primary.name}: a database that Citus has distributed has no read replica: leave out --read-database-url`,
      ]);
    }
  }
  const firstCheck = firstChecks.slice(0, required.length).find((check) => check._tag !== 'Usable') ?? {
    _tag: 'Usable',
  };
  let reportFatalError = (_lines: readonly string[]): void => {};
  const fatalError = new Promise<readonly string[]>((resolve) => {
    reportFatalError = resolve;
  });
  const waitUntilUsable = async (): Promise<void> => {
    while (!isClosed) {
      await new Promise((resolve) => setTimeout(resolve, retryInterval).unref());
      const check = await checkDatabases(required);
      if (isClosed || check._tag === 'Unreachable') continue;
      if (check._tag === 'Unusable') reportFatalError([check.reason]);
      else log('info', 'connected to the database');
      return;
    }
  };
  await watched?.check();
  const watchReplica = async (check: () => Promise<void>): Promise<void> => {
    while (!isClosed) {
      await new Promise((resolve) => setTimeout(resolve, checkInterval(maxReplicaLag)).unref());
      if (!isClosed) await check();
    }
  };
  const onlyRead = replica === null ? null : onlyReplica(primary.database, replica.database, replica.probe);
  return E.right({
    storage: postgresStorage(
      { primary: primary.database, replica: watched ?? onlyRead, probe: primary.probe, citus },
      log,
      { maxSignUps: maxSignUps ?? null },
      metrics?.watchCache,
    ),
    mode: 'database',
    demo: demoTemplate(demo.right),
    personas: personas.right,
    ...publishedShippedAccounts(mutableDemo),
    demoAccounts: () => noDemoAccounts,
    banner: (baseUrl) => databaseBanner(primary.name, replica?.name ?? null, baseUrl),
    exposureRisk: null,
    onListening: () => {
      background = startBackgroundWork(primary.database, citus, { clock, log });
      if (watched !== null) void watchReplica(watched.check);
      if (firstCheck._tag === 'Usable') return;
      log('warn', `waiting for the database: ${firstCheck.reason}`);
      void waitUntilUsable();
    },
    fatalError,
    close,
  });
};
