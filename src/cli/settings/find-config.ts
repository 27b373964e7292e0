import { existsSync, lstatSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import * as E from '#fp-ts/Either';
import { displayPath } from '../output/text.js';
import type { Environment, ParsedOptions } from './read-settings.js';

const configName = 'triage-api.config.json';

/** A file that has the settings of a run, and the option or the variable that names it, if one does. */
export type FoundConfig = Readonly<{ file: string; namedBy: '--config' | 'TRIAGE_CONFIG' | null }>;

/**
 * The config file of a run: the one that `--config` or `TRIAGE_CONFIG` names, else the one in the working
 * directory or beside the nearest `package.json`; null if there is none. `left`: why that cannot be said, or
 * why it is not used: on a machine with several users, anybody may put one above this directory. `user`: the
 * id of who runs this; null where files belong to nobody. It costs little, because most commands run where
 * there is none.
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
  const file = [workingDirectory, packageDirectory(workingDirectory)]
    .map((directory) => join(directory, configName))
    .find((path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined);
  if (file === undefined) return E.right(null);
  const remedy = 'name a config file that you trust with --config, or read none with --no-config';
  return user !== null && belongsToOther(file, user)
    ? E.left(`${displayPath(file)} belongs to another user; ${remedy}`)
    : E.right({ file: displayPath(file), namedBy: null });
};

/** Whether a file, or the one that it links to, belongs neither to this user nor to root. */
const belongsToOther = (path: string, user: number): boolean => {
  try {
    return [lstatSync(path), statSync(path)].some(({ uid }) => uid !== user && uid !== 0);
  } catch {
    // What reads it will say why it cannot be read.
    return false;
  }
};

/** The nearest directory upwards that has a `package.json`, or the root of all directories. */
const packageDirectory = (directory: string): string => {
  const parent = dirname(directory);
  const isEnd = parent === directory || existsSync(join(directory, 'package.json'));
  return isEnd ? directory : packageDirectory(parent);
};
