import type { Fixture } from '../fixtures/read-fixtures.js';
import { type LoadedPages, noRows } from '../service/fetch.js';
import { allRows, type RowsDependencies } from '../start/all-rows.js';
import { isDemoFixture } from './changed-fixtures.js';
import { demoAccountsOf, demoTemplate } from './demo-accounts.js';

type Dependencies = Pick<
  RowsDependencies,
  'storage' | 'clock' | 'log' | 'strict' | 'simulation' | 'live' | 'basePath' | 'changes'
>;

/** The pages of handlers, which are those of the server. `fixtures`: those that are served now. */
export const handlerPages = (
  dependencies: Dependencies,
  fixtures: () => readonly Fixture[],
): LoadedPages => ({
  ...allRows({
    ...dependencies,
    explorer: true,
    isDraining: () => false,
    hasReloadFailed: () => false,
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
