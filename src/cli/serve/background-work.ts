import type { Clock } from '../../common/clock.js';
import type { Log } from '../../common/log.js';
import type { CitusAccess } from '../../storage/postgres/citus/citus-access.js';
import { citusFold } from '../../storage/postgres/citus/citus-fold.js';
import { citusPurge } from '../../storage/postgres/citus/citus-purge.js';
import type { Database } from '../../storage/postgres/database.js';
import { foldCounts, foldCountsInBackground } from '../../storage/postgres/fold-counts.js';
import { startHousekeeping } from '../../storage/postgres/housekeeping.js';
import { type PurgeOptions, purge } from '../../storage/postgres/purge.js';

/** Starts what a server does for its database besides answering requests, until it is stopped. */
export const startBackgroundWork = (
  database: Database,
  citus: CitusAccess,
  { clock, log }: Readonly<{ clock: Clock; log: Log }>,
): Readonly<{ stop: () => Promise<void> }> => {
  const inBackground = (node: number): Pick<Database, 'query'> => ({
    query: citus.worker(node).inBackground,
  });
  const folding = foldCountsInBackground(database, log, (isStopped) =>
    citus.byEngine(
      () => foldCounts(database, isStopped),
      () => citusFold(database, inBackground, isStopped),
    ),
  );
  const purgeDatabase = (options: PurgeOptions) =>
    citus.byEngine(
      () => purge(database, options),
      () => citusPurge(database, inBackground, options),
    );
  const housekeeping = startHousekeeping({ database, purgeDatabase, clock, log });
  return {
    stop: () => {
      housekeeping.stop();
      return folding.stop();
    },
  };
};
