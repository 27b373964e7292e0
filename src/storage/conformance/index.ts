import { accountCases } from './account-cases.js';
import { apiCases } from './api-cases.js';
import { apiTokenCases } from './api-token-cases.js';
import type { ConformanceCase, OpenStorage } from './conformance-case.js';
import { credentialCases } from './credential-cases.js';
import { sessionCases } from './session-cases.js';

export { hashPassword } from '../../accounts/hash-password.js';
export { hashSecret } from '../../accounts/secrets.js';
export type { Dataset } from '../../records/dataset.js';
export type { ConformanceCase, OpenedStorage, OpenStorage } from './conformance-case.js';

/**
 * Everything that the storage port requires of an adapter, as cases for any test runner. Run them one after
 * the other. The API over the storage must respond with the same bytes as over the fixture adapter, for any
 * data and any request; accounts, sessions and tokens must behave as the port says.
 */
export const storageConformance = (open: OpenStorage): readonly ConformanceCase[] => [
  ...apiCases(open),
  ...credentialCases(open),
  ...sessionCases(open),
  ...apiTokenCases(open),
  ...accountCases(open),
];
