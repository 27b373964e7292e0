import * as t from 'io-ts';
import { shippedFixtures } from '../../server/shipped-fixtures.js';
import { defineCommand } from '../define-command.js';
import { displayPath } from '../output/display-path.js';
import { countOf, fixtureSummary } from '../output/fixtures.js';
import { settingsReader } from '../settings/options.js';
import { type ExitCode, exitCode } from '../terminal/exit-code.js';
import type { Terminal } from '../terminal/terminal.js';
import { checkFixtures } from './check-fixtures.js';

/** Prints every problem of a directory of fixtures or, if there are none, a summary of each tenant. */
const check = async (directory: string, terminal: Terminal): Promise<ExitCode> => {
  const summaries = await checkFixtures(displayPath(directory), terminal, ({ file, dataset }) =>
    fixtureSummary(file, dataset),
  );
  if (summaries === null) return exitCode.failed;
  for (const summary of summaries) terminal.out(summary);
  terminal.out(`${countOf(summaries.length, 'tenant')}, no problems`);
  return exitCode.done;
};

/** `triage-api check`. */
export const checkCommand = defineCommand({
  name: 'check',
  description: 'validate fixtures: print every problem with its file, line and column, or a summary',
  argument: {
    syntax: '[dir]',
    description: 'directory of fixture files',
    variable: 'TRIAGE_FIXTURES',
    fallback: shippedFixtures,
  },
  options: {},
  readSettings: settingsReader(t.strict({}, 'CheckSettings'), {}),
  run: (_, terminal, directory) => check(directory, terminal),
});
