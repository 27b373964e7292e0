import { Counter, Histogram, type Registry } from 'prom-client';
import type { Clock } from '../../common/clock.js';
import type { ObserveCalls } from '../../storage/observed-storage.js';

/** The upper bounds of latencies in seconds: fixtures take less than a millisecond. */
const buckets = [0.0001, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Calls of the storage, how long they took, and why they failed. */
export const storageMetrics = (registry: Registry, elapsed: Clock): ObserveCalls => {
  const registers = [registry];
  const latency = new Histogram({
    name: 'triage_storage_call_duration_seconds',
    help: 'Time that calls of the storage took; the count is the number of calls.',
    labelNames: ['call'],
    buckets,
    registers,
  });
  const errors = new Counter({
    name: 'triage_storage_errors_total',
    help: 'Calls of the storage that failed for a reason of its own.',
    labelNames: ['call', 'error'],
    registers,
  });
  return (call) => {
    const started = elapsed();
    return (failure) => {
      latency.observe({ call }, (elapsed() - started) / 1000);
      if (failure !== null) errors.inc({ call, error: failure._tag });
    };
  };
};
