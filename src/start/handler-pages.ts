import { demoAccountsOf, demoTemplate } from '../fixtures/demo-accounts.js';
import type { Fixture } from '../fixtures/read-fixtures.js';
import { isDemoFixture } from '../simulation/changed-fixtures.js';
import { allRows, type RowsDependencies } from './all-rows.js';
import { type LoadedPages, noRows } from './handler-door.js';

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
