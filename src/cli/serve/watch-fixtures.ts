import { existsSync, type FSWatcher, readdirSync, watch } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Log } from '../../common/log.js';
import { errorCode } from '../../common/replace-file.js';
import { runAfter } from '../../common/timers.js';

/** The system tells no name of what has changed, or a JSON file of the directory has. */
const concernsFixtures = (name: string | null): boolean => name === null || name.endsWith('.json');

/**
 * Calls `onChange` for each event that may concern a JSON file of a directory; several events for one change
 * are usual. Three things are watched: the directory; its parent, or the nearest folder above that exists, so
 * that it is noticed when the directory is deleted and created again; and each file that is a symbolic link,
 * because a directory says nothing about what its links lead to.
 *
 * `renew` watches what is there now. It is called again after each change, before the files are read: then no
 * later change is missed. Events about other files cost no more than a call, because a log in the parent
 * directory causes many.
 */
export const watchFiles = (
  directory: string,
  onChange: () => void,
  onError: (error: unknown) => void,
): Readonly<{ renew: () => void; close: () => void }> => {
  const absolute = resolve(directory);
  let watchers: FSWatcher[] = [];
  const close = (): void => {
    for (const watcher of watchers) watcher.close();
    watchers = [];
  };
  /** Returns whether there is such a file. */
  const add = (path: string, isRelevant: (name: string | null) => boolean): boolean => {
    try {
      const watcher = watch(path, (_, name) => {
        if (isRelevant(name)) onChange();
      });
      // Such as on Windows, when the directory is deleted. What is there then is found by `renew`.
      watcher.on('error', () => {
        watcher.close();
        onChange();
      });
      watchers.push(watcher);
      return true;
    } catch (error) {
      // The folder above tells when it is there again.
      const isAway = errorCode(error) === 'ENOENT';
      if (!isAway) onError(error);
      return !isAway;
    }
  };
  const addFolderAbove = (path: string): void => {
    const folder = dirname(path);
    if (!add(folder, (name) => name === null || name === basename(path))) addFolderAbove(folder);
    // It may have come back before its folder was watched.
    else if (path !== absolute && existsSync(path)) onChange();
  };
  return {
    renew: () => {
      close();
      addFolderAbove(absolute);
      add(absolute, concernsFixtures);
      for (const link of linksIn(absolute)) add(link, () => true);
    },
    close,
  };
};

/** The JSON files of a directory that are symbolic links. */
const linksIn = (directory: string): readonly string[] => {
  try {
    return readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isSymbolicLink() && concernsFixtures(entry.name))
      .map(({ name }) => join(directory, name));
  } catch {
    // A directory that cannot be read is reported by those who read the files.
    return [];
  }
};

type FixtureWatcher = Readonly<{
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
  let [hasChanged, isRunning] = [false, false];
  /** A change that comes while the listener runs is for its next run. */
  const runListener = async (): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    while (hasChanged && listener !== null) {
      hasChanged = false;
      await listener().catch(logError);
    }
    isRunning = false;
  };
  let cancel = (): void => {};
  const onEvent = (): void => {
    cancel();
    cancel = runAfter(settlingTime, () => {
      files.renew();
      hasChanged = true;
      void runListener();
    });
  };
  const files = watchFiles(directory, onEvent, logError);
  files.renew();
  return {
    onChange: (next) => {
      listener = next;
      void runListener();
    },
    stop: () => {
      cancel();
      files.close();
    },
  };
};
