import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { shippedFixtures } from '../../server/shipped-fixtures.js';
import { readFixtures } from '../../storage/fixtures/read-fixtures.js';
import { defineCommand } from '../define-command.js';
import { displayPath } from '../output/display-path.js';
import { countOf, fixtureSummary, formatFixtureProblems } from '../output/fixtures.js';
import { settingsReader } from '../settings/options.js';
import { type ExitCode, exitCode } from '../terminal/exit-code.js';
import type { Terminal } from '../terminal/terminal.js';

/** Prints every problem of a directory of fixtures or, if there are none, a summary of each tenant. */
const check = async (directory: string, terminal: Terminal): Promise<ExitCode> => {
  const fixtures = await readFixtures(displayPath(directory))();
  if (E.isLeft(fixtures)) {
    for (const line of formatFixtureProblems(fixtures.left)) terminal.err(line);
    return exitCode.failed;
  }
  for (const { file, dataset } of fixtures.right) terminal.out(fixtureSummary(file, dataset));
  terminal.out(`${countOf(fixtures.right.length, 'tenant')}, no problems`);
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
