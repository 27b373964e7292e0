import type { LockDependencies } from '../../src/files/acquire-lock.js';
import type { ProcessIdentity } from '../../src/files/lock-record.js';

/** A process that exists only in a test. */
export const aProcess = (over: Partial<ProcessIdentity> = {}): ProcessIdentity => ({
  pid: 1,
  host: 'here',
  space: 'this container',
  started: '100',
  ...over,
});

let ids = 0;

/** What locking needs. No other process runs; waiting takes no time, and `onSleep` runs instead. */
export const lockDependencies = (
  over: Partial<LockDependencies & Readonly<{ onSleep: () => Promise<void>; waits: string[] }>> = {},
): LockDependencies => ({
  self: aProcess(),
  newId: () => {
    ids += 1;
    return `id-${ids}`;
  },
  processState: () => ({ isRunning: false, started: null }),
  sleep: over.onSleep ?? (async () => {}),
  onWait: (message) => over.waits?.push(message),
  ...over,
});
