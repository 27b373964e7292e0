import { plainAccounts } from '../accounts/account-flow.js';
import type { DemoAccounts } from '../accounts/demo-rows.js';
import type { TenantRows } from '../api/row-records.js';
import { demoAccountsOf, demoTemplate } from '../fixtures/demo-accounts.js';
import { isDemoFixture } from './changed-fixtures.js';
import type { LiveFixtures } from './live-fixtures.js';

/** What the pages of handlers, which have one client, offer of the fixtures that are served now. */
export const handlerAccounts = ({ served }: Pick<LiveFixtures, 'served'>) => ({
  demo: (now: number): TenantRows => {
    const demo = served().find(isDemoFixture);
    return demo === undefined ? plainAccounts.demo(now) : demoTemplate(demo)(now);
  },
  demoAccounts: (): DemoAccounts => ({
    ...demoAccountsOf(served(), { showPasswords: true, areShipped: false }),
    areLocal: true,
  }),
});
