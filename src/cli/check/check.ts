import { shippedFixtures } from '../../fixtures/read-fixtures.js';
import { rowCount } from '../../records/dataset.js';
import { defineCommand } from '../define-command.js';
import { displayPath } from '../output/display-path.js';
import { countOf, databaseSuggestion, fixtureSummary } from '../output/fixtures.js';
import { jsonReport } from '../output/json-report.js';
import { type ExitCode, exitCode } from '../terminal/exit-code.js';
import type { Terminal } from '../terminal/terminal.js';
import { checkFixtures, showFile } from './check-fixtures.js';
import { CheckReport, checkReport } from './check-report.js';
import { type CheckSettings, checkOptions, readCheckSettings } from './check-settings.js';
import { completedText } from './completed-text.js';
import { watchCheck } from './watch-check.js';
import { type CheckEach, writeCompleted } from './write-completed.js';

/** Prints every problem of fixtures or, if there are none, a summary of each tenant. */
const check = async (
  { complete, out, force, json, watch }: CheckSettings,
  terminal: Terminal,
  argument: string,
  _version: string,
  words: readonly string[],
): Promise<ExitCode> => {
  const paths = (words.length > 0 ? words : [argument]).map(displayPath);
  if (complete) {
    const checkEach: CheckEach = (keep) => checkFixtures(paths, terminal, keep);
    return out === undefined
      ? printCompleted(checkEach, paths, terminal)
      : writeCompleted(checkEach, { directory: out, force }, terminal);
  }
  if (json) return printReport(paths, terminal);
  if (watch) return watchCheck(paths, () => printSummary(paths, terminal), terminal);
  return printSummary(paths, terminal);
};

const printSummary = async (paths: readonly string[], terminal: Terminal): Promise<ExitCode> => {
  const checked = await checkFixtures(paths, terminal, ({ file, dataset }) => ({
    summary: fixtureSummary(file, dataset),
    rows: rowCount(dataset),
  }));
  if (checked === null) return exitCode.failed;
  for (const { summary } of checked) terminal.out(summary);
  terminal.out(`${countOf(checked.length, 'tenant')}, no problems`);
  const suggestion = databaseSuggestion(checked.reduce((sum, { rows }) => sum + rows, 0));
  if (suggestion !== null) terminal.err(suggestion);
  return exitCode.done;
};

const printReport = async (paths: readonly string[], terminal: Terminal): Promise<ExitCode> => {
  const report = await checkReport(paths, showFile(terminal));
  terminal.progress('');
  terminal.out(jsonReport(CheckReport.encode(report)));
  return report.valid ? exitCode.done : exitCode.failed;
};

/** Prints the completed content of one file. */
const printCompleted = async (
  checkEach: CheckEach,
  paths: readonly string[],
  terminal: Terminal,
): Promise<ExitCode> => {
  const files = await checkEach((fixture) => fixture);
  if (files === null) return exitCode.failed;
  const [only, ...others] = files;
  if (only === undefined || others.length > 0) {
    terminal.err(
      `${paths.join(', ')} has ${countOf(files.length, 'tenant')}; name one file, or a directory with --out`,
    );
    return exitCode.usage;
  }
  terminal.out((await completedText(only)).trimEnd());
  return exitCode.done;
};

/** `triage-api check`. */
export const checkCommand = defineCommand({
  name: 'check',
  description: 'validate fixtures: print every problem with its file, line and column, or a summary',
  argument: {
    syntax: '[path...]',
    description: 'directories of fixture files, or files',
    variable: 'TRIAGE_FIXTURES',
    key: 'fixtures',
    fallback: shippedFixtures,
  },
  options: checkOptions,
  examples: [
    { does: 'check the files of a directory', command: 'triage-api check fixtures' },
    {
      does: 'check one file, and print it with what it leaves out',
      command: 'triage-api check fixtures/team.json --complete',
    },
  ],
  readSettings: readCheckSettings,
  run: check,
});
