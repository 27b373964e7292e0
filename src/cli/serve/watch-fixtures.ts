import type { Log } from '../../common/log.js';
import { watchFiles } from './watch-files.js';

/** Watches a directory. */
export type FixtureWatcher = Readonly<{
  /**
   * Calls `listener` after each change of a fixture file, and at once if something has changed since the
   * watching began.
   */
  onChange: (listener: () => Promise<void>) => void;
  stop: () => void;
}>;

/**
 * For how long nothing may have changed before the fixtures are read, in milliseconds. Editors write a file
 * in several steps; a partly written file would be reported as invalid.
 */
const settlingTime = 100;

/**
 * Watches a directory of fixtures. From then on, no change is missed, so call it before the fixtures are
 * read.
 */
export const watchFixtures = (directory: string, log: Log): FixtureWatcher => {
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
  let settling: NodeJS.Timeout | undefined;
  const onSettled = (): void => {
    files.renew();
    hasUnseenChange = listener === null;
    enqueue();
  };
  const files = watchFiles(
    directory,
    () => {
      clearTimeout(settling);
      settling = setTimeout(onSettled, settlingTime);
    },
    logError,
  );
  files.renew();
  return {
    onChange: (next) => {
      listener = next;
      if (hasUnseenChange) enqueue();
    },
    stop: () => {
      clearTimeout(settling);
      files.close();
    },
  };
};
