import { existsSync, lstatSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import * as E from '#fp-ts/Either';
import { displayPath } from '../output/text.js';
import type { Environment, ParsedOptions } from './read-settings.js';

const configName = 'triage-api.config.json';

/** A file that has the settings of a run, and the option or the variable that names it, if one does. */
export type FoundConfig = Readonly<{ file: string; namedBy: '--config' | 'TRIAGE_CONFIG' | null }>;

/**
 * The config file of a run: the one that `--config` or `TRIAGE_CONFIG` names, else the nearest one from the
 * working directory upwards; null if there is none. `left`: why that cannot be said, or why it is not used:
 * on a machine with several users, anybody may put one above this directory. `user`: the id of who runs this;
 * null where files belong to nobody. It costs little, because most commands run where there is none.
 */
export const findConfig = (
  parsed: ParsedOptions,
  environment: Environment,
  user: number | null,
  workingDirectory = resolve(''),
): E.Either<string, FoundConfig | null> => {
  const option: unknown = parsed.getOptionValue('config');
  if (option === false) return E.right(null);
  if (option === '') return E.left('--config: expected text that is not empty, got ""');
  if (typeof option === 'string') return E.right({ file: displayPath(option), namedBy: '--config' });
  const { TRIAGE_CONFIG: variable = '' } = environment;
  if (variable !== '') return E.right({ file: displayPath(variable), namedBy: 'TRIAGE_CONFIG' });
  const directories = searchedDirectories(workingDirectory);
  const root = join(directories.at(-1) ?? '', '.git');
  for (const directory of directories) {
    const file = join(directory, configName);
    if (lstatSync(file, { throwIfNoEntry: false }) === undefined) continue;
    const madeBy = directory === workingDirectory ? [file] : [root, file];
    const foreign = madeBy.find((path) => user !== null && belongsToOther(path, user));
    return foreign === undefined
      ? E.right({ file: displayPath(file), namedBy: null })
      : E.left(`${displayPath(foreign)} belongs to another user; ${remedy}`);
  }
  return E.right(null);
};

const remedy = 'name a config file that you trust with --config, or read none with --no-config';

/** Whether a file, or the one that it links to, belongs neither to this user nor to root. */
const belongsToOther = (path: string, user: number): boolean => {
  try {
    return [lstatSync(path), statSync(path)].some(({ uid }) => uid !== user && uid !== 0);
  } catch {
    // What reads it will say why it cannot be read.
    return false;
  }
};

/**
 * The working directory and those above it, up to the root of the repository. Outside of one, only the
 * working directory: what runs there would depend on files that nobody looks for.
 */
const searchedDirectories = (workingDirectory: string): readonly string[] => {
  const directories: string[] = [];
  let directory = workingDirectory;
  for (;;) {
    directories.push(directory);
    if (existsSync(join(directory, '.git'))) return directories;
    const parent = dirname(directory);
    if (parent === directory) return directories.slice(0, 1);
    directory = parent;
  }
};
