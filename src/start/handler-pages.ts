import { demoAccountsOf, demoTemplate } from '../fixtures/demo-accounts.js';
import { isDemoFixture } from '../simulation/changed-fixtures.js';
import type { LiveFixtures } from '../simulation/live-fixtures.js';
import { allRows, type RowsDependencies } from './all-rows.js';
import { type LoadedPages, noRows } from './handler-door.js';

type HandlerPagesDependencies = Pick<
  RowsDependencies,
  'storage' | 'clock' | 'log' | 'strict' | 'simulation' | 'basePath' | 'changes'
> &
  Readonly<{ live: LiveFixtures }>;

/** The pages of handlers, which are those of the server. */
export const handlerPages = (dependencies: HandlerPagesDependencies): LoadedPages => ({
  ...allRows({
    ...dependencies,
    explorer: true,
    isDraining: () => false,
    hasReloadFailed: () => false,
  }),
  hasPages: true,
  demo: (now) => {
    const demo = dependencies.live.served().find(isDemoFixture);
    return demo === undefined ? noRows : demoTemplate(demo)(now);
  },
  demoAccounts: () => ({
    ...demoAccountsOf(dependencies.live.served(), { showPasswords: true, areShipped: false }),
    areLocal: true,
  }),
});
