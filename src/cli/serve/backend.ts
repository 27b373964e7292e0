import * as E from '#fp-ts/Either';
import type { AccountData } from '../../accounts/account-flow.js';
import type { Storage } from '../../accounts/account-storage.js';
import type { Log } from '../../common/log.js';
import { demoTemplate, publishedShippedAccounts } from '../../fixtures/demo-accounts.js';
import { readShippedDemo, shippedPersonas } from '../../simulation/open-fixtures.js';
import type { SimulatedClock } from '../../simulation/simulated-clock.js';
import type { Metrics } from '../../start/metrics.js';
import type { ServerConfig } from '../../start/start-server.js';
import { formatFixtureProblems } from '../output/text.js';
import type { Terminal } from '../terminal/terminal.js';
import type { ServeSettings } from './serve-options.js';

export type BackendDependencies = Readonly<{
  simulated: SimulatedClock;
  log: Log;
  terminal: Terminal;
  /** Null: nobody reads any. */
  metrics: Metrics | null;
}>;

/** Opened data, what the pages and new accounts need to know of it, and what `serve` does around it. */
export type ServeBackend = Pick<
  ServerConfig,
  'mode' | 'demoAccounts' | 'hasReloadFailed' | 'changes' | 'live'
> &
  Readonly<{
    storage: Storage;
    accounts: AccountData;
    /** Saves pending changes and stops background work. */
    close: () => Promise<void>;
    /** The lines to print before the server listens. */
    banner: (baseUrl: string) => readonly string[];
    /** What anyone who can reach the server can do; null if it needs no warning. */
    exposureRisk: string | null;
    /** What goes on in the background once the server listens. `stop` ends the server, and says why. */
    work: (stop: (reason: string) => void) => Promise<void>;
  }>;

/** An opened backend. `left`: one line for each reason why there is none. */
export type OpenedBackend = E.Either<readonly string[], ServeBackend>;

/**
 * What new accounts get over a storage that holds no fixtures, where nothing is known to be demo data.
 * `left`: what is wrong with the shipped fixtures or the personas.
 */
export const shippedAccounts = async ({
  signUpPersonas,
  mutableDemo,
}: Pick<ServeSettings, 'signUpPersonas' | 'mutableDemo'>) => {
  const demo = await readShippedDemo();
  if (E.isLeft(demo)) return E.left(formatFixtureProblems(demo.left));
  const personas = await shippedPersonas(signUpPersonas);
  if (E.isLeft(personas)) return E.left(formatFixtureProblems(personas.left));
  return E.right({
    mode: 'database',
    accounts: {
      demo: demoTemplate(demo.right),
      personas: personas.right,
      ...publishedShippedAccounts(mutableDemo),
    },
    exposureRisk: null,
  } as const);
};
