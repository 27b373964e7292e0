import * as E from '#fp-ts/Either';
import type { CliCommand } from '../cli-command.js';
import type { FileValues } from '../settings/setting-sources.js';
import type { ChosenConfig } from './config-options.js';
import { findConfig } from './find-config.js';

const nothing: FileValues = new Map();

/**
 * What the config file sets for a command. `left`: everything that is wrong with the file, one line each.
 */
export const readFileValues = async (
  command: CliCommand,
  chosen: ChosenConfig,
  loadCommands: () => Promise<readonly CliCommand[]>,
): Promise<E.Either<readonly string[], FileValues>> => {
  const config = await findConfig(chosen);
  if (E.isLeft(config)) return config;
  if (config.right === null) return E.right(nothing);
  const { checkedValues } = await import('./checked-values.js');
  return checkedValues(config.right, command, loadCommands);
};
