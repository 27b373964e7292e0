import { accountCases, apiTokenCases, credentialCases, sessionCases, versionCases } from './account-cases.js';
import { fixedTenantCases, fixedTenants, randomTenantCases } from './api-cases.js';
import {
  type ConformanceCase,
  casesOver,
  type OpenStorage,
  resultOf,
  type Suite,
} from './conformance-case.js';
import { annAndBob } from './sample-tenants.js';

export { hashPassword } from '../../accounts/passwords.js';
export { hashSecret } from '../../api/credentials.js';
export type { Dataset } from '../../fixtures/dataset.js';
export type { ConformanceCase, OpenedStorage, OpenStorage } from './conformance-case.js';
export { datasetRecords } from './sample-tenants.js';

/** Settings of the suite. */
export type ConformanceOptions = Readonly<{
  /** The milliseconds that an operation, or a write in the background, may take: 5,000 by default. */
  timeLimit?: number;
  /** The seed of the random tenants, to repeat a failure. By default, every run has other tenants. */
  seed?: number;
}>;

/**
 * Everything that the storage port requires of an adapter, as cases for any test runner. Run them one after
 * the other. The API over the storage must respond with the same bytes as over the fixture adapter.
 */
export const storageConformance = (
  open: OpenStorage,
  { timeLimit = 5000, seed }: ConformanceOptions = {},
): readonly ConformanceCase[] => {
  const suite: Suite = { open, timeLimit, seed };
  // What is quick, and what most mistakes fail, comes first.
  return [
    ...casesOver(suite, [], { 'the storage is ready': async ({ ready }) => void (await resultOf(ready())) }),
    ...casesOver(suite, annAndBob, credentialCases),
    ...casesOver(suite, fixedTenants, fixedTenantCases),
    ...casesOver(suite, annAndBob, { ...versionCases, ...sessionCases, ...apiTokenCases, ...accountCases }),
    ...randomTenantCases(suite),
  ];
};
