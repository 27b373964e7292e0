/** The main export of the package: a server for tests, in the process of the tests (docs/testing.md). */
export type { LogLevel } from '../common/log.js';
export type { FixtureData } from '../completion/fixture-data.js';
export type { FaultRule, NewFaultRule } from '../simulation/fault-rule.js';
export type { JournalEntry, JournalFilter } from '../simulation/journal-entry.js';
export type { ApiFetch, ApiRequestInit } from './api-fetch.js';
export type { StorageState } from './failing-storage.js';
export type { Collection, LiveControls, TestClock } from './live-controls.js';
export type { AnsweredRequest, FixtureRows, TimedPatch, TriageApiOptions } from './options.js';
export { startTriageApi } from './start-triage-api.js';
export type { Tenant } from './tenant.js';
export type { Faults, TriageApi } from './triage-api.js';
export { TriageApiError } from './triage-api-error.js';
