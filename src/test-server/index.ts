/** The main export of the package: a server for tests, in the process of the tests (docs/testing.md). */
export type { LogLevel } from '../common/log.js';
export type { FixtureData } from '../completion/fixture-data.js';
export type { Faults } from '../in-process/controls.js';
export type { StorageState } from '../in-process/failing-storage.js';
export type { FixtureRows, TimedPatch } from '../in-process/fixture-data.js';
export type { Collection, TestClock } from '../in-process/live-controls.js';
export type { CreatedTenant, TenantOptions } from '../in-process/on-demand-controls.js';
export type { Tenant } from '../in-process/tenant.js';
export { TriageApiError } from '../in-process/triage-api-error.js';
export type { FaultRule, NewFaultRule } from '../simulation/fault-rule.js';
export type { JournalEntry, JournalFilter } from '../simulation/journal-entry.js';
export type { ApiFetch, ApiRequestInit } from './api-fetch.js';
export type { AnsweredRequest, TriageApiOptions } from './options.js';
export { startTriageApi } from './start-triage-api.js';
export type { LiveControls, TriageApi } from './triage-api.js';
