import { basename, dirname, join } from 'node:path';
import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { RecordCounts } from '../accounts/account-records.js';
import { rowCount } from '../api/row-records.js';
import { textOf, valueAt } from '../common/json.js';
import { listOf, nullable } from '../contract/codecs/combinators.js';
import { pointer, problem } from '../contract/codecs/problem.js';
import { Integer } from '../contract/codecs/text-and-numbers.js';
import { Dataset } from '../fixtures/dataset.js';
import { type FileProblem, type FixtureProblem, formatFileProblem } from '../fixtures/file-problem.js';
import { fixtureText } from '../fixtures/fixture-format.js';
import { readJsonFile } from '../fixtures/json-file.js';
import { shownProblems } from '../fixtures/line-and-column.js';
import { linkRows } from '../fixtures/link-rows.js';
import {
  type Fixture,
  type FixtureSources,
  isOneFile,
  readFixtureFiles,
  shippedFixtures,
} from '../fixtures/read-fixtures.js';
import { completeDatasetOf } from '../fixtures/validate-dataset.js';
import { defineCommand } from './define-command.js';
import {
  countOf,
  countsOf,
  databaseSuggestion,
  displayPath,
  fixtureSummary,
  jsonReport,
  refusedWith,
} from './output/text.js';
import { writeFilesTogether } from './output/write-files.js';
import { watchFixtures } from './serve/watch-fixtures.js';
import { NonEmptyString } from './settings/codecs.js';
import { flag, value } from './settings/option.js';
import { forceOption } from './settings/shared-options.js';
import { type ExitCode, exitCode, fail, type Terminal } from './terminal/terminal.js';

/** `triage-api check`: prints every problem of fixtures or, if there are none, a summary of each tenant. */
export const checkCommand = defineCommand({
  name: 'check',
  description: 'validate fixtures: print every problem with its file, line and column, or a summary',
  argument: ['[path...]', 'directories of fixture files, or files'],
  options: {
    fixtures: value('-f, --fixtures <path>', NonEmptyString, 'what to check if no path is given'),
    complete: flag('--complete', 'print a fixture with all that it leaves out', { notInFile: true }),
    out: value('--out <dir>', NonEmptyString, 'with --complete: write the files here', {
      variable: 'TRIAGE_CHECK_OUT',
      notInFile: true,
    }),
    force: forceOption,
    json: flag('--json', 'print a report as JSON, problems included', {
      variable: 'TRIAGE_CHECK_JSON',
      notInFile: true,
    }),
    watch: flag('--watch', 'check again when a file changes, until Ctrl-C', {
      variable: 'TRIAGE_CHECK_WATCH',
      notInFile: true,
    }),
  },
  examples: {
    'check the files of a directory': 'triage-api check fixtures',
    'check one file, and print it with what it leaves out': 'triage-api check fixtures/team.json --complete',
  },
  conflicts: ({ settings: { complete, out, json, watch } }) => {
    if (out !== undefined && !complete) return ['--out is only for --complete'];
    if (json && complete) return ['--json cannot be used with --complete'];
    if (watch && (json || complete)) return [`--watch cannot be used with ${json ? '--json' : '--complete'}`];
    return [];
  },
  run: ({ settings, terminal, words }) => {
    const { fixtures = shippedFixtures, complete, out, force, json, watch } = settings;
    const paths = (words.length > 0 ? words : [fixtures]).map(displayPath);
    if (complete && out !== undefined) return writeCompleted(paths, displayPath(out), force, terminal);
    if (complete) return printCompleted(paths, terminal);
    if (json) return printReport(paths, terminal);
    return watch ? watchCheck(paths, terminal) : printSummary(paths, terminal);
  },
});

/** A valid file: whose data it has, and how much. */
const CheckedFile = t.strict({ file: t.string, email: t.string, ...RecordCounts.type.props }, 'CheckedFile');
type CheckedFile = t.TypeOf<typeof CheckedFile>;

const CheckProblem = t.strict(
  {
    /** The file, or the path that leads to none. */
    file: t.string,
    /** Both are counted from 1; null if there is no file. Columns are counted in UTF-16 code units. */
    line: nullable(Integer),
    column: nullable(Integer),
    /** The JSON pointer of the value; empty for the whole file. */
    path: t.string,
    message: t.string,
  },
  'CheckProblem',
);
type CheckProblem = t.TypeOf<typeof CheckProblem>;

const scores = ['reachability', 'exploitSignal'] as const;

/** What the contract allows in a finding, and is probably a mistake: each with the field. */
const doubtsAbout = (row: unknown): readonly (readonly [field: string, message: string])[] => {
  const [discovered, updated] = [textOf(row, 'discoveredAt'), textOf(row, 'updatedAt')];
  const isLate = discovered !== undefined && updated !== undefined && updated < discovered;
  return [
    ...scores.flatMap((field): readonly [string, string][] => {
      const score = valueAt(row, [field]);
      if (typeof score !== 'number' || (score >= 0 && score <= 1)) return [];
      const hint = score > 1 && score <= 100 ? `; did you mean ${score / 100}?` : '';
      return [[field, `${score} is no fraction between 0 and 1${hint}`]];
    }),
    ...(isLate ? [['updatedAt', `is before discoveredAt, ${discovered}`] as const] : []),
  ];
};

/**
 * Warnings about a valid file. Reads it once more, if there are any about its rows, because a fixture does
 * not say where they were written.
 */
const warningsAbout = async ({
  name,
  file,
  dataset,
  notes = [],
}: Fixture): Promise<readonly FileProblem[]> => {
  const doubts = new Map(dataset.fixDrafts.map((row) => [row.id, doubtsAbout(row)]));
  if (Array.from(doubts.values()).every((each) => each.length === 0)) return notes;
  const json = await readJsonFile(file);
  if (E.isLeft(json)) return notes;
  const { content, locate } = json.right;
  const written = linkRows(content, name).findings.flatMap(({ id, place }) =>
    (doubts.get(id) ?? []).map(([field, message]) => problem([...place, field], message)),
  );
  return [...notes, ...locate(written.filter(({ path }) => valueAt(content, path) !== undefined))];
};

/** The report of `check --json`. */
const CheckReport = t.strict(
  {
    valid: t.boolean,
    /** The valid files, in the order in which they were checked. */
    files: listOf(CheckedFile),
    problems: listOf(CheckProblem),
    /** What is allowed in the valid files, and probably a mistake. */
    warnings: listOf(CheckProblem),
  },
  'CheckReport',
);

const showFile =
  ({ progress }: Pick<Terminal, 'progress'>) =>
  (file: string, number: number, count: number): void =>
    progress(`checking ${displayPath(file)}, file ${number} of ${count}`);

/**
 * Checks fixtures file by file, and shows which one. Prints every problem as it is found, and then their
 * number. Returns what `keep` takes of each file, which should be little, because the rest of a file is
 * forgotten; null if there is any problem.
 */
export const checkFixtures = async <A>(
  sources: FixtureSources,
  terminal: Terminal,
  keep: (fixture: Fixture) => A | Promise<A>,
): Promise<readonly A[] | null> => {
  const { err, progress } = terminal;
  const kept: A[] = [];
  let problems = 0;
  for await (const file of readFixtureFiles(sources, showFile(terminal))) {
    if (E.isRight(file)) kept.push(await keep(file.right));
    else {
      progress('');
      // People see the lines, programs and their logs a line for each problem.
      const { first } = terminal.errIsTerminal ? await shownProblems(file.left) : { first: [] };
      for (const [index, found] of file.left.entries()) {
        err(formatFileProblem(found));
        for (const line of first[index]?.frame?.split('\n') ?? []) err(line);
      }
      problems += file.left.length;
    }
  }
  progress('');
  if (problems === 0) return kept;
  err(refusedWith(problems));
  return null;
};

/** The completed content of a valid file. What is complete keeps even the order of its keys. */
const completedText = async ({ file, dataset }: Fixture): Promise<string> => {
  const json = await readJsonFile(file);
  const content = E.isRight(json) ? json.right.content : undefined;
  if (t.UnknownRecord.is(content) && completeDatasetOf(content) !== null) return fixtureText(content);
  return fixtureText(Dataset.encode(dataset));
};

/** Writes the completed files to a directory, under their names: all of them, once all have been checked. */
const writeCompleted = async (
  paths: readonly string[],
  target: string,
  force: boolean,
  terminal: Terminal,
): Promise<ExitCode> => {
  const files = await checkFixtures(paths, terminal, async (fixture) => {
    const file = join(target, basename(fixture.file));
    const summary = fixtureSummary(file, fixture.dataset, countsOf(fixture.dataset));
    return { file, pieces: [await completedText(fixture)], summary };
  });
  if (files === null) return exitCode.failed;
  const names = files.map(({ file }) => file);
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined)
    return fail(terminal, [
      `several files are called ${basename(repeated)}; write them to different directories`,
    ]);
  const result = await writeFilesTogether(files, { force, pid: terminal.pid });
  if (E.isLeft(result)) return fail(terminal, result.left);
  for (const { summary } of files) terminal.out(summary);
  terminal.out(`wrote ${countOf(files.length, 'file')} to ${target}`);
  return exitCode.done;
};

/** Runs a check, and runs it again after each change of the files, until a signal. */
const watchCheck = async (paths: readonly string[], terminal: Terminal): Promise<ExitCode> => {
  const stopped = terminal.onSignal();
  const folders = new Set<string>();
  for (const path of paths) folders.add((await isOneFile(path)) ? dirname(path) : path);
  const watchers = Array.from(folders, (folder) =>
    watchFixtures(folder, (_level, event, fields = {}) =>
      terminal.err(`warning: ${event}: ${folder}: ${String(fields.cause)}`),
    ),
  );
  const report = async (): Promise<void> => {
    await printSummary(paths, terminal);
    terminal.err('waiting for changes; Ctrl-C ends this');
  };
  // Changes of several directories at once are checked one after the other.
  let last = report();
  for (const { onChange } of watchers)
    onChange(() => {
      last = last.then(() => {
        terminal.out('');
        return report();
      });
      return last;
    });
  await stopped;
  for (const { stop } of watchers) stop();
  terminal.progress('');
  return exitCode.done;
};

const printSummary = async (paths: readonly string[], terminal: Terminal): Promise<ExitCode> => {
  const checked = await checkFixtures(paths, terminal, async (fixture) => ({
    summary: fixtureSummary(fixture.file, fixture.dataset, countsOf(fixture.dataset)),
    rows: rowCount(fixture.dataset),
    warnings: await warningsAbout(fixture),
  }));
  if (checked === null) return exitCode.failed;
  for (const { summary } of checked) terminal.out(summary);
  const warnings = checked.flatMap((each) => each.warnings);
  const warningCount = warnings.length === 0 ? '' : `, ${countOf(warnings.length, 'warning')}`;
  terminal.out(`${countOf(checked.length, 'tenant')}, no problems${warningCount}`);
  for (const warning of warnings) terminal.err(`warning: ${formatFileProblem(warning)}`);
  const suggestion = databaseSuggestion(checked.reduce((sum, { rows }) => sum + rows, 0));
  if (suggestion !== null) terminal.err(suggestion);
  return exitCode.done;
};

const printReport = async (paths: readonly string[], terminal: Terminal): Promise<ExitCode> => {
  const files: CheckedFile[] = [];
  const problems: CheckProblem[] = [];
  const warnings: CheckProblem[] = [];
  const reported = ({ file, line, column, path, message }: FixtureProblem): CheckProblem => ({
    file,
    line,
    column,
    path: pointer(path),
    message,
  });
  for await (const checked of readFixtureFiles(paths, showFile(terminal))) {
    if (E.isLeft(checked)) problems.push(...checked.left.map(reported));
    else {
      const { file, dataset } = checked.right;
      files.push({ file, email: dataset.user.email, ...countsOf(dataset) });
      warnings.push(...(await warningsAbout(checked.right)).map(reported));
    }
  }
  terminal.progress('');
  const valid = problems.length === 0;
  terminal.text(jsonReport(CheckReport.encode({ valid, files, problems, warnings })));
  return valid ? exitCode.done : exitCode.failed;
};

const printCompleted = async (paths: readonly string[], terminal: Terminal): Promise<ExitCode> => {
  const files = await checkFixtures(paths, terminal, (fixture) => fixture);
  if (files === null) return exitCode.failed;
  const [only, ...others] = files;
  if (only === undefined || others.length > 0) {
    const found = `${paths.join(', ')} has ${countOf(files.length, 'tenant')}`;
    return fail(terminal, [`${found}; name one file, or a directory with --out`], exitCode.usage);
  }
  terminal.text((await completedText(only)).trimEnd());
  return exitCode.done;
};
