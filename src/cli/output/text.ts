import { relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { escapeControlCharacters, escapeControlCharactersInLines } from '../../common/messages.js';
import { formatProblem } from '../../contract/codecs/problem.js';
import type { FixtureProblems } from '../../fixtures/read-fixtures.js';
import type { Dataset } from '../../records/dataset.js';
import type { StorageError } from '../../storage/port.js';

/** What a summary tells of a dataset. */
type Counted = Readonly<{ user: Pick<Dataset['user'], 'email'> }> &
  Readonly<
    Record<
      'repos' | 'scans' | 'fixDrafts' | 'pullRequests' | 'sessions' | 'apiTokens',
      Readonly<{ length: number }>
    >
  >;

/** The line about a valid fixture file: `FILE: ADDRESS: 8 repos, 21 scans, …`. */
export const fixtureSummary = (file: string, dataset: Counted): string => {
  const counts = [
    countOf(dataset.repos.length, 'repo'),
    countOf(dataset.scans.length, 'scan'),
    countOf(dataset.fixDrafts.length, 'fix draft'),
    countOf(dataset.pullRequests.length, 'pull request'),
    countOf(dataset.sessions.length, 'session'),
    countOf(dataset.apiTokens.length, 'API token'),
  ];
  return escapeControlCharacters(`${file}: ${dataset.user.email}: ${counts.join(', ')}`);
};

/** All problems of a directory of fixtures, one per line, followed by their number. */
export const formatFixtureProblems = (problems: FixtureProblems): readonly string[] => [
  ...problems,
  refusedWith(problems.length),
];

/** The line after the problems of fixtures. */
export const refusedWith = (problems: number): string => `refused: ${countOf(problems, 'problem')}`;

/** `1 tenant`, `2 tenants`. */
export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** For up to so many rows in all files, fixtures load and reload in moments. */
const comfortableRows = 100_000;

/** Suggests a database for more rows than fixtures are meant for; null for fewer. */
export const databaseSuggestion = (rows: number): string | null =>
  rows <= comfortableRows
    ? null
    : `these fixtures have ${inDigits.format(rows)} rows; above ${inDigits.format(comfortableRows)}, a database (triage-api db import) starts sooner and takes less memory`;

const inDigits = new Intl.NumberFormat('en');

/** The host and the name of a database, without the user and the password. */
export const databaseName = (url: string): string => {
  const { host, pathname } = new URL(url);
  return `${host || 'this machine'}${pathname}`;
};

/** A storage error in one line. */
export const formatStorageError = (error: StorageError): string =>
  escapeControlCharacters(
    error._tag === 'RecordBroken'
      ? `${error.where}: ${error.problems.map(formatProblem).join('; ')}`
      : error.cause instanceof Error
        ? error.cause.message
        : String(error.cause),
  );

/** A path as it is shown to users: relative if it is below the working directory, else absolute. */
export const displayPath = (path: string): string => {
  const relativePath = relative('', path);
  return relativePath === '' || relativePath.startsWith('..') ? resolve(path) : relativePath;
};

/** A report as indented JSON that is safe to look at: what a server has sent cannot disguise lines of it. */
export const jsonReport = (report: unknown): string =>
  escapeControlCharactersInLines(JSON.stringify(report, null, 2));

/** Where a file of this package is, seen from a directory. */
type Installation = 'project' | 'clone' | 'npx' | 'elsewhere';

/**
 * How this package got to where a file of it is: npm has installed it into the project of the directory, the
 * directory is in a clone of it, npx has downloaded it for one run, or it is elsewhere, such as installed
 * globally.
 */
export const installationOf = (file: string, directory = ''): Installation => {
  const folders = file.split(sep);
  if (folders.includes('_npx')) return 'npx';
  const modules = folders.lastIndexOf('node_modules');
  const owner = folders.slice(0, modules === -1 ? -2 : modules).join(sep) || sep;
  if (relative(owner, resolve(directory)).startsWith('..')) return 'elsewhere';
  return modules === -1 ? 'clone' : 'project';
};

const binary = fileURLToPath(new URL('../../../../bin/triage-api.js', import.meta.url));

/**
 * A command line of this program that can be pasted into a shell, and starts the program as it can be started
 * from the working directory.
 */
export const shellCommand = (words: readonly string[], program = binary): string =>
  [...startOf(program), ...words].map(shellWord).join(' ');

const startOf = (program: string): readonly string[] => {
  const installation = installationOf(program);
  if (installation === 'clone') return ['node', relative('', program)];
  if (installation === 'project' || installation === 'npx') return ['npx', 'triage-api'];
  return program.includes('node_modules') ? ['triage-api'] : ['node', program];
};

/** A word as a shell has to read it. */
const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
