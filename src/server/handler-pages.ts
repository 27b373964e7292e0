import type { Fixture } from '../fixtures/read-fixtures.js';
import { allRows } from '../service/all-rows.js';
import { type MoreRows, noRows } from '../service/fetch.js';
import { isDemoFixture } from './changed-fixtures.js';
import { demoAccountsOf, demoTemplate } from './demo-accounts.js';

type Dependencies = Pick<
  Parameters<typeof allRows>[0],
  'storage' | 'clock' | 'log' | 'strict' | 'simulation' | 'live' | 'basePath' | 'changes'
>;

/** How long `/readyz` waits for the storage, in milliseconds. */
const readyTimeout = 1000;

/** The pages of handlers, which are those of the server. `fixtures`: those that are served now. */
export const handlerPages = (dependencies: Dependencies, fixtures: () => readonly Fixture[]): MoreRows => ({
  rowsOf: allRows({
    ...dependencies,
    explorer: true,
    isDraining: () => false,
    hasReloadFailed: () => false,
    readyTimeout,
  }),
  hasPages: true,
  demo: (now) => {
    const demo = fixtures().find(isDemoFixture);
    return demo === undefined ? noRows : demoTemplate(demo)(now);
  },
  demoAccounts: () => ({
    ...demoAccountsOf(fixtures(), { showPasswords: true, areShipped: false }),
    areLocal: true,
  }),
});
