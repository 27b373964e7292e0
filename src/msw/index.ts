/** The entry `triage-api/msw`: handlers for Mock Service Worker (docs/msw.md). */
export type {
  Collection,
  Controls,
  CreatedTenant,
  FaultRule,
  Faults,
  FixtureData,
  FixtureRows,
  JournalEntry,
  JournalFilter,
  LogLevel,
  NewFaultRule,
  StorageState,
  Tenant,
  TenantOptions,
  TestClock,
  TimedPatch,
} from '../fetch-handler/index.js';
export { TriageApiError } from '../fetch-handler/index.js';
export type { TriageHandlersOptions } from './options.js';
export { type TriageHandlers, triageHandlers } from './triage-handlers.js';
