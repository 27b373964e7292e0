/** The main export of the package: a server for tests, in the process of the tests (docs/testing.md). */
export type { LogLevel } from '../common/log.js';
export type { ApiFetch, ApiRequestInit } from './api-fetch.js';
export type { StorageState } from './failing-storage.js';
export type { AnsweredRequest, FixtureData, TriageApiOptions } from './options.js';
export { startTriageApi } from './start-triage-api.js';
export type { Tenant } from './tenant.js';
export type { TriageApi } from './triage-api.js';
export { TriageApiError } from './triage-api-error.js';
