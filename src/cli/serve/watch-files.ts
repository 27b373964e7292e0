import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** Watches what decides about the JSON files of one directory. */
export type FileWatcher = Readonly<{
  /**
   * Watches what is there now. To be called again after each change, before the files are read: then no later
   * change is missed.
   */
  renew: () => void;
  close: () => void;
}>;

/** The system tells no name of what has changed, or a JSON file of the directory has. */
const concernsFixtures = (name: string | null): boolean => name === null || name.endsWith('.json');

/**
 * Calls `onChange` for each event that may concern a JSON file of a directory; several events for one change
 * are usual. Three things are watched: the directory; its parent, so that it is noticed when the directory is
 * deleted and created again; and each file that is a symbolic link, because a directory says nothing about
 * what its links lead to.
 *
 * Events about other files cost no more than a call, because a log in the parent directory causes many.
 */
export const watchFiles = (
  directory: string,
  onChange: () => void,
  onError: (error: unknown) => void,
): FileWatcher => {
  const absolute = resolve(directory);
  let watchers: readonly FSWatcher[] = [];
  const close = (): void => {
    for (const watcher of watchers) watcher.close();
    watchers = [];
  };

  const watched = (path: string, isRelevant: (name: string | null) => boolean): readonly FSWatcher[] => {
    try {
      const watcher = watch(path, (_, name) => {
        if (isRelevant(name)) onChange();
      });
      // Such as on Windows, when the directory is deleted. What is there then is found by `renew`.
      watcher.on('error', () => {
        watcher.close();
        onChange();
      });
      return [watcher];
    } catch (error) {
      // The parent tells when it is there again.
      if (!isMissing(error)) onError(error);
      return [];
    }
  };

  return {
    renew: () => {
      close();
      const [parent, own] = [dirname(absolute), basename(absolute)];
      watchers = [
        ...watched(parent, (name) => name === null || name === own),
        ...watched(absolute, concernsFixtures),
      ];
      watchers = [...watchers, ...linksIn(absolute).flatMap((link) => watched(link, () => true))];
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

const isMissing = (error: unknown): boolean => Object(error).code === 'ENOENT';
