import type * as E from '#fp-ts/Either';
import type { Log } from '../../common/log.js';
import { shippedFixtures } from '../../fixtures/read-fixtures.js';
import type { SimulatedClock } from '../../simulation/simulated-clock.js';
import type { Terminal } from '../terminal/terminal.js';
import { openFixtureBackend } from './fixture-backend.js';
import type { ServeBackend } from './serve-backend.js';
import type { ServedMetrics } from './serve-metrics.js';
import type { ServeSettings } from './settings/serve-settings.js';

type Dependencies = Readonly<{
  simulated: SimulatedClock;
  log: Log;
  terminal: Terminal;
  metrics: ServedMetrics['metrics'] | null;
}>;

/**
 * Opens what is served: a storage of one's own, `databaseUrl` if it is chosen, or else fixtures. What only
 * the first two need is loaded for them alone. `left`: one line for each reason why it cannot be opened.
 */
export const openBackend = async (
  settings: ServeSettings,
  databaseUrl: string | undefined,
  { simulated, log, terminal, metrics }: Dependencies,
): Promise<E.Either<readonly string[], ServeBackend>> => {
  const { storage, fixtures = shippedFixtures } = settings;
  const clock = simulated.now;
  if (storage !== undefined) {
    const { openStorageBackend } = await import('./storage-backend.js');
    return openStorageBackend({ ...settings, storage }, { clock, log });
  }
  if (databaseUrl !== undefined) {
    const { openDatabaseBackend } = await import('./database-backend.js');
    return openDatabaseBackend({ ...settings, databaseUrl }, { clock, log, metrics });
  }
  return openFixtureBackend({ ...settings, fixtures }, { simulated, log, terminal, metrics });
};
