/** What `triage-api` exports: a server for tests, in their own process (docs/testing.md). */
export type { LogLevel } from '../common/log.js';
export type { StorageState } from './failing-storage.js';
export type { FixtureData } from './fixture-data.js';
export type { AnsweredRequest, TriageApiOptions } from './options.js';
export { startTriageApi } from './start-triage-api.js';
export type { Tenant } from './tenant.js';
export type { TriageApi } from './triage-api.js';
export { TriageApiError } from './triage-api-error.js';
