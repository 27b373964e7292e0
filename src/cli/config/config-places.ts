import { lstatSync, readFileSync, statSync } from 'node:fs';

/** The config file of a directory. */
export const configName = 'triage-api.config.json';

/** The file that may have the settings under a key of its own. */
export const packageName = 'package.json';

/** The key of a package.json that has the settings. */
export const packageKey = 'triageApi';

/**
 * Whether the working directory has settings in a file. It costs little, because most commands run where it
 * has none. Directories above are not searched: what runs here would depend on files that nobody looks for.
 */
export const mayHaveConfig = (): boolean =>
  lstatSync(configName, { throwIfNoEntry: false }) !== undefined || packageText().includes(`"${packageKey}"`);

/**
 * The text of package.json; empty if it cannot be read, because most of them belong to other programs. What
 * is no regular file, such as a pipe, might have no end.
 */
const packageText = (): string => {
  try {
    return statSync(packageName).isFile() ? readFileSync(packageName, 'utf8') : '';
  } catch {
    return '';
  }
};
