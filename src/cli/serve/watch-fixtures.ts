import { once } from 'node:events';
import { dirname, resolve, sep } from 'node:path';
import { watch } from 'chokidar';
import type { Log } from '../../common/log.js';

/** Watches a directory. */
export type FixtureWatcher = Readonly<{
  /**
   * Calls `listener` after each change of a fixture file, and at once if something has changed since the
   * watching began.
   */
  onChange: (listener: () => Promise<void>) => void;
  stop: () => Promise<void>;
}>;

/**
 * Watches a directory of fixtures. Once it resolves, no change is missed, so call it before the fixtures are
 * read. It watches the parent directory, so that it notices when the directory is deleted and created again.
 */
export const watchFixtures = async (directory: string, log: Log): Promise<FixtureWatcher> => {
  const absolute = resolve(directory);
  const parent = dirname(absolute);
  const isRelevant = (path: string): boolean =>
    [parent, absolute].includes(path) || (path.startsWith(`${absolute}${sep}`) && path.endsWith('.json'));
  const watcher = watch(parent, {
    ignored: (path) => !isRelevant(resolve(path)),
    ignoreInitial: true,
    depth: 1,
    // Editors write a file in several steps; a partly written file would be reported as invalid.
    awaitWriteFinish: { stabilityThreshold: 100, pollInterval: 20 },
  });
  const logError = (error: unknown): void =>
    log('warn', 'cannot watch the fixtures', { cause: String(error) });

  let listener: (() => Promise<void>) | null = null;
  let isQueued = false;
  let lastRun = Promise.resolve();
  const enqueue = (): void => {
    // A queued run reads the fixtures when its turn comes, so it sees every change until then.
    if (isQueued || listener === null) return;
    isQueued = true;
    const run = listener;
    lastRun = lastRun.then(() => {
      isQueued = false;
      return run().catch(logError);
    });
  };
  let hasUnseenChange = false;
  watcher.on('all', () => {
    hasUnseenChange = listener === null;
    enqueue();
  });
  watcher.on('error', logError);
  await once(watcher, 'ready');
  return {
    onChange: (next) => {
      listener = next;
      if (hasUnseenChange) enqueue();
    },
    stop: () => watcher.close(),
  };
};
