import type { DemoAccount } from '../pages/start-page.js';
import type { Fixture } from '../storage/fixtures/read-fixtures.js';

/** How many the start page offers. */
const most = 10;

/** The accounts that the start page offers, with their passwords where these may be told. */
export const demoAccounts = (fixtures: readonly Fixture[], tellPasswords: boolean): readonly DemoAccount[] =>
  fixtures.slice(0, most).map(({ dataset: { user } }) => ({
    name: user.name,
    email: user.email,
    password: tellPasswords ? user.password : null,
  }));
