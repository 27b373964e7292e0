import { accountCases } from './account-cases.js';
import { fixedTenantCases, randomTenantCases } from './api-cases.js';
import { apiTokenCases } from './api-token-cases.js';
import type { ConformanceCase, OpenStorage, Suite } from './conformance-case.js';
import { credentialCases } from './credential-cases.js';
import { type ConformanceProgress, formatProgress, withProgress } from './progress.js';
import { sessionCases } from './session-cases.js';

export { hashPassword } from '../../accounts/hash-password.js';
export { hashSecret } from '../../accounts/secrets.js';
export type { Dataset } from '../../records/dataset.js';
export type { ConformanceCase, OpenedStorage, OpenStorage } from './conformance-case.js';
export { datasetRecords } from './dataset-records.js';
export { type ConformanceProgress, formatProgress } from './progress.js';

/** Settings of the suite. */
export type ConformanceOptions = Readonly<{
  /** Called when a case begins and ends. By default, standard error shows it if that is a terminal. */
  onProgress?: (progress: ConformanceProgress) => void;
  /** The milliseconds that an operation, or a write in the background, may take: 5,000 by default. */
  timeLimit?: number;
  /** The seed of the random tenants, to repeat a failure. By default, every run has other tenants. */
  seed?: number;
}>;

/**
 * Everything that the storage port requires of an adapter, as cases for any test runner. Run them one after
 * the other. The API over the storage must respond with the same bytes as over the fixture adapter, for any
 * data and any request; accounts, sessions and tokens must behave as the port says.
 */
export const storageConformance = (
  open: OpenStorage,
  { onProgress = showOnTerminal, timeLimit = 5000, seed }: ConformanceOptions = {},
): readonly ConformanceCase[] => {
  const elapsed = (): number => performance.now();
  const suite: Suite = { open, timeLimit, seed, elapsed, stalled: new Set() };
  // What is quick, and what most mistakes fail, comes first.
  const cases = [
    ...credentialCases(suite),
    ...fixedTenantCases(suite),
    ...sessionCases(suite),
    ...apiTokenCases(suite),
    ...accountCases(suite),
    ...randomTenantCases(suite),
  ];
  return withProgress(cases, onProgress, elapsed);
};

/** Overwrites the line about the case that runs with the one about its end. */
const showOnTerminal = (progress: ConformanceProgress): void => {
  if (!process.stderr.isTTY) return;
  const end = progress.state === 'running' ? '' : '\n';
  process.stderr.write(`\r\u001b[K${formatProgress(progress)}${end}`);
};
