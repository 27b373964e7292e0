import * as E from '#fp-ts/Either';
import type { CliCommand } from '../cli-command.js';
import { chosenConfig, configOptions } from '../config/config-options.js';
import { readFileValues } from '../config/read-file-values.js';
import { parsePlainly } from '../settings/parse-plainly.js';
import type { Environment } from '../settings/setting-sources.js';
import { type ExitCode, escapingTerminal, exitCode, type Terminal } from '../terminal/terminal.js';
import {
  healthcheck,
  healthcheckCommand,
  healthcheckOptions,
  readHealthcheckSettings,
} from './healthcheck.js';

/**
 * Runs `healthcheck` without the rest of the program, which would take most of the time. It does not warn
 * about variables that no command reads: the server says so once, and a container is checked all the time.
 * Null: the program has to say something about the command line.
 */
export const runHealthcheck = async (
  words: readonly string[],
  environment: Environment,
  rawTerminal: Terminal,
  loadCommands: () => Promise<readonly CliCommand[]>,
): Promise<ExitCode | null> => {
  const parsed = parsePlainly(words, Object.values({ ...healthcheckOptions, ...configOptions }));
  if (parsed === null) return null;
  const terminal = escapingTerminal(rawTerminal);
  const refuse = (lines: readonly string[]): ExitCode => {
    for (const line of lines) terminal.err(line);
    return exitCode.usage;
  };
  const file = await readFileValues(healthcheckCommand, chosenConfig(parsed, environment), loadCommands);
  if (E.isLeft(file)) return refuse(file.left);
  const read = readHealthcheckSettings.read(parsed, { environment, file: file.right });
  return E.isLeft(read) ? refuse(read.left) : healthcheck(read.right.settings, terminal);
};
