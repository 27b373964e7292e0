import type { Clock } from '../common/clock.js';
import type { Log, LogLevel } from '../common/log.js';
import type { StorageCall } from '../storage/each-call.js';
import type { ObserveCalls } from '../storage/observed-storage.js';

/** How often a lasting outage is logged at most, in milliseconds. */
const reminderInterval = 60_000;

/**
 * An outage that begins so soon after the last one, in milliseconds, ends only after as long a time without
 * a failure: what fails again and again is one outage in the log.
 */
const settlingTime = 10_000;

/**
 * Logs the begin and the end of each outage of the storage, with how long it took and how many calls failed,
 * instead of each failure. `elapsed`: a monotonic clock in milliseconds.
 */
export const logStorageOutages = (log: Log, elapsed: Clock): ObserveCalls => {
  const unavailable = outageLog(log, elapsed, 'warn', 'unavailable', String);
  const failing = outageLog(log, elapsed, 'error', 'failing', stackOf);
  return (call) => (failure) => {
    if (failure?._tag === 'StorageUnavailable') return unavailable.failed(call, failure.cause);
    if (failure?._tag === 'StorageFailed') return failing.failed(call, failure.cause);
    if (failure !== null) return;
    unavailable.succeeded();
    failing.succeeded();
  };
};

/** The log of one kind of outage. */
const outageLog = (
  log: Log,
  elapsed: Clock,
  level: LogLevel,
  kind: 'unavailable' | 'failing',
  format: (cause: unknown) => string,
) => {
  type Outage = {
    began: number;
    lastFailure: number;
    lastLogged: number;
    failures: number;
    settling: number;
  };
  let outage: Outage | null = null;
  let lastEnd = Number.NEGATIVE_INFINITY;
  return {
    failed: (call: StorageCall, cause: unknown): void => {
      const now = elapsed();
      const details = { kind, call, cause: format(cause) };
      if (outage === null) {
        const settling = now - lastEnd < settlingTime ? settlingTime : 0;
        outage = { began: now, lastFailure: now, lastLogged: now, failures: 1, settling };
        log(level, 'storage.outage.began', details);
        return;
      }
      outage.failures += 1;
      outage.lastFailure = now;
      if (now - outage.lastLogged < reminderInterval) return;
      outage.lastLogged = now;
      const { began, failures } = outage;
      log(level, 'storage.outage.continues', { ...details, ms: Math.round(now - began), failures });
    },
    succeeded: (): void => {
      if (outage === null) return;
      const now = elapsed();
      const { began, lastFailure, failures, settling } = outage;
      if (now - lastFailure < settling) return;
      outage = null;
      lastEnd = now;
      log('info', 'storage.outage.ended', { kind, ms: Math.round(now - began), failures });
    },
  };
};

const stackOf = (cause: unknown): string => (cause instanceof Error && cause.stack) || String(cause);
