import { resolve } from 'node:path';
import type { DemoAccount } from '../pages/start-page.js';
import type { Fixture } from '../storage/fixtures/read-directory.js';
import { isExposed } from './base-url.js';
import { shippedFixtures } from './shipped-fixtures.js';

/** How many the start page offers. */
const most = 10;

/**
 * The accounts that the start page offers. Their passwords are told where they are known to everybody anyway (the shipped
 * fixtures), or where nobody but this machine can ask.
 */
export const demoAccounts = (
  fixtures: readonly Fixture[],
  directory: string,
  host: string,
): readonly DemoAccount[] => {
  const isTold = resolve(directory) === resolve(shippedFixtures) || !isExposed(host);
  return fixtures.slice(0, most).map(({ dataset: { user } }) => ({
    name: user.name,
    email: user.email,
    password: isTold ? user.password : null,
  }));
};
