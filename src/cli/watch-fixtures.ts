import { once } from 'node:events';
import { dirname, resolve, sep } from 'node:path';
import { watch } from 'chokidar';
import type { Log } from '../common/log.js';

/** A directory that is being watched. */
export type Watching = Readonly<{
  /** Calls `changed` for what has changed since the watching began, and whenever a fixture file comes, goes or is written. */
  tell: (changed: () => Promise<void>) => void;
  stop: () => Promise<void>;
}>;

/**
 * Watches a directory of fixtures, and resolves once no change can be missed any more: to be called before they are read. It
 * looks from the folder above, so that a directory that goes and comes back is still seen.
 */
export const watchFixtures = async (directory: string, log: Log): Promise<Watching> => {
  const whole = resolve(directory);
  const above = dirname(whole);
  const isRelevant = (path: string): boolean =>
    [above, whole].includes(path) || (path.startsWith(`${whole}${sep}`) && path.endsWith('.json'));
  const watcher = watch(above, {
    ignored: (path) => !isRelevant(resolve(path)),
    ignoreInitial: true,
    depth: 1,
    // Editors write in pieces; half a file is not worth a complaint.
    awaitWriteFinish: { stabilityThreshold: 100, pollInterval: 20 },
  });
  const failed = (error: unknown): void =>
    log('warn', 'fixtures cannot be watched', { cause: String(error) });

  let changed: (() => Promise<void>) | null = null;
  let isWaiting = false;
  let last = Promise.resolve();
  const runWhenFree = (): void => {
    // Whatever changes while a reading waits its turn is seen by that reading.
    if (isWaiting || changed === null) return;
    isWaiting = true;
    const run = changed;
    last = last.then(() => {
      isWaiting = false;
      return run().catch(failed);
    });
  };
  let isMissed = false;
  watcher.on('all', () => {
    isMissed = changed === null;
    runWhenFree();
  });
  watcher.on('error', failed);
  await once(watcher, 'ready');
  return {
    tell: (next) => {
      changed = next;
      if (isMissed) runWhenFree();
    },
    stop: () => watcher.close(),
  };
};
