import { stat } from 'node:fs/promises';
import { shippedFixtures } from '../../server/shipped-fixtures.js';
import type { Fixture } from '../../storage/fixtures/read-fixtures.js';
import { defineCommand } from '../define-command.js';
import { displayPath } from '../output/display-path.js';
import { countOf, fixtureSummary } from '../output/fixtures.js';
import { settingsReader } from '../settings/options.js';
import { type ExitCode, exitCode } from '../terminal/exit-code.js';
import type { Terminal } from '../terminal/terminal.js';
import { checkFixtureFile, checkFixtures } from './check-fixtures.js';
import { CheckSettings, checkOptions } from './check-settings.js';
import { completedText } from './completed-text.js';
import { writeCompleted } from './write-completed.js';

/** Prints every problem of fixtures or, if there are none, a summary of each tenant. */
const check = async (
  { complete, out, force }: CheckSettings,
  terminal: Terminal,
  path: string,
): Promise<ExitCode> => {
  if (out !== undefined && !complete) {
    terminal.err('--out is only for --complete');
    return exitCode.usage;
  }
  const shown = displayPath(path);
  const isFile = await stat(path).then(
    (found) => !found.isDirectory(),
    // What is missing was meant as a file if it has the name of one.
    () => path.endsWith('.json'),
  );
  const checkEach = <A>(keep: (fixture: Fixture) => A | Promise<A>): Promise<readonly A[] | null> =>
    isFile ? checkFixtureFile(shown, terminal, keep) : checkFixtures(shown, terminal, keep);

  if (complete && out !== undefined) return writeCompleted(checkEach, { directory: out, force }, terminal);
  if (complete) {
    const files = await checkEach((fixture) => fixture);
    if (files === null) return exitCode.failed;
    const [only, ...others] = files;
    if (only === undefined || others.length > 0) {
      terminal.err(
        `${shown} has ${countOf(files.length, 'tenant')}; name one file, or a directory with --out`,
      );
      return exitCode.usage;
    }
    terminal.out((await completedText(only)).trimEnd());
    return exitCode.done;
  }
  const summaries = await checkEach(({ file, dataset }) => fixtureSummary(file, dataset));
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
    syntax: '[path]',
    description: 'directory of fixture files, or one of them',
    variable: 'TRIAGE_FIXTURES',
    fallback: shippedFixtures,
  },
  options: checkOptions,
  readSettings: settingsReader(CheckSettings, checkOptions),
  run: check,
});
