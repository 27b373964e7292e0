import { collectDefaultMetrics, Registry } from 'prom-client';
import type { SecurityEvent } from '../../accounts/account-flow.js';
import type { Clock } from '../../common/clock.js';
import type { ObserveCalls } from '../../storage/observed-storage.js';
import type { Exposition } from '../metrics-app.js';
import type { ObserveRequests } from '../request-observer.js';
import { type BackendMetrics, backendMetrics } from './backend-metrics.js';
import { requestMetrics } from './request-metrics.js';
import { securityMetrics } from './security-metrics.js';
import { storageMetrics } from './storage-metrics.js';

/** The metrics of a process: what reports to them, and their text. */
export type Metrics = BackendMetrics &
  Readonly<{
    observeRequests: ObserveRequests;
    observeCalls: ObserveCalls;
    onSecurityEvent: (event: SecurityEvent) => void;
    /** All metrics in the text format of Prometheus. */
    expose: () => Promise<Exposition>;
  }>;

/** What every name begins with. */
const prefix = 'triage_';

/** Metrics of the library that are no counters in spite of their names, so that tools complain about them. */
const misnamed = [
  'nodejs_active_resources_total',
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
];

/**
 * Metrics in a registry of their own (docs/metrics.md). `elapsed`: a monotonic clock in milliseconds.
 */
export const createMetrics = (version: string, elapsed: Clock): Metrics => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix });
  for (const name of misnamed) registry.removeSingleMetric(`${prefix}${name}`);
  return {
    observeRequests: requestMetrics(registry),
    observeCalls: storageMetrics(registry, elapsed),
    onSecurityEvent: securityMetrics(registry),
    ...backendMetrics(registry, version),
    expose: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
};
