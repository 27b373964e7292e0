/** The entry `triage-api/fetch-handler`: the API without a server (docs/fetch-handler.md). */
export type { LogLevel } from '../common/log.js';
export type { FixtureData } from '../completion/fixture-data.js';
export type { Controls, Faults } from '../in-process/controls.js';
export type { StorageState } from '../in-process/failing-storage.js';
export type { FixtureRows, TimedPatch } from '../in-process/fixture-data.js';
export type { Collection, TestClock } from '../in-process/live-controls.js';
export type { CreatedTenant, TenantOptions } from '../in-process/on-demand-controls.js';
export type { Tenant } from '../in-process/tenant.js';
export { TriageApiError } from '../in-process/triage-api-error.js';
export type { FaultRule, NewFaultRule } from '../simulation/fault-rule.js';
export type { JournalEntry, JournalFilter } from '../simulation/journal-entry.js';
export { type FetchHandler, fetchHandler } from './fetch-handler.js';
export type { FetchHandlerOptions, GivenFixtures } from './options.js';
