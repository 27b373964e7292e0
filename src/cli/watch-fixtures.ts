import { watch } from 'chokidar';
import type { Log } from '../vocabulary/log.js';

/** Calls `changed` whenever a file of a directory has come, gone or been written. Returns what ends it. */
export const watchFixtures = (
  directory: string,
  changed: () => Promise<void>,
  log: Log,
): (() => Promise<void>) => {
  const failed = (error: unknown): void =>
    log('warn', 'fixtures cannot be watched', { cause: String(error) });
  const watcher = watch(directory, {
    ignoreInitial: true,
    depth: 0,
    // Editors write in pieces; half a file is not worth a complaint.
    awaitWriteFinish: { stabilityThreshold: 100, pollInterval: 20 },
  });
  let last = Promise.resolve();
  let waiting = false;
  watcher.on('all', () => {
    // Whatever changes while a reading waits its turn is seen by that reading.
    if (waiting) return;
    waiting = true;
    last = last.then(() => {
      waiting = false;
      return changed().catch(failed);
    });
  });
  watcher.on('error', failed);
  return () => watcher.close();
};
