import { accountCases } from './_accounts.js';
import type { ConformanceCase, OpenStorage } from './_case.js';
import { readingCases } from './_reading.js';

export { hashPassword } from '../../../src/accounts/hash-password.js';
export { hashSecret } from '../../../src/accounts/hash-secret.js';
export type { Dataset } from '../../../src/records/dataset.js';
export type { ConformanceCase, OpenedStorage, OpenStorage } from './_case.js';

/**
 * All that an adapter of the storage port has to do, as cases to be run one after the other with any test runner: the API over
 * it answers with the bytes that it answers with over the fixture adapter, for any content and any request, and accounts,
 * sessions and tokens behave as the port says.
 */
export const storageConformance = (open: OpenStorage): readonly ConformanceCase[] => [
  ...readingCases(open),
  ...accountCases(open),
];
