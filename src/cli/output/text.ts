import { relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RecordCounts } from '../../accounts/account-records.js';
import type { StorageError } from '../../api/storage-port.js';
import { escapeControlCharactersInLines, shellQuote } from '../../common/messages.js';
import { formatProblem } from '../../contract/codecs/problem.js';
import type { Dataset } from '../../fixtures/dataset.js';
import { type FixtureProblems, formatFileProblem } from '../../fixtures/file-problem.js';

/** The message of whatever was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** `1 tenant`, `2 tenants`. */
export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** How many records of each kind a dataset has. */
export const countsOf = (dataset: Dataset): RecordCounts => ({
  repos: dataset.repos.length,
  scans: dataset.scans.length,
  fixDrafts: dataset.fixDrafts.length,
  pullRequests: dataset.pullRequests.length,
  sessions: dataset.sessions.length,
  apiTokens: dataset.apiTokens.length,
});

/** `8 repos, 21 scans, …`. */
export const countsText = (counts: RecordCounts): string =>
  [
    countOf(counts.repos, 'repo'),
    countOf(counts.scans, 'scan'),
    countOf(counts.fixDrafts, 'fix draft'),
    countOf(counts.pullRequests, 'pull request'),
    countOf(counts.sessions, 'session'),
    countOf(counts.apiTokens, 'API token'),
  ].join(', ');

/** The line about a valid fixture file: `FILE: ADDRESS: 8 repos, 21 scans, …`. */
export const fixtureSummary = (file: string, { user }: Pick<Dataset, 'user'>, counts: RecordCounts): string =>
  `${file}: ${user.email}: ${countsText(counts)}`;

/** All problems of a directory of fixtures, one per line, followed by their number. */
export const formatFixtureProblems = (problems: FixtureProblems): readonly string[] => [
  ...problems.map(formatFileProblem),
  refusedWith(problems.length),
];

/** The line after the problems of fixtures. */
export const refusedWith = (problems: number): string => `refused: ${countOf(problems, 'problem')}`;

/** For up to so many rows in all files, fixtures load and reload in moments. */
const comfortableRows = 100_000;

const inDigits = new Intl.NumberFormat('en');

/** Suggests a database for more rows than fixtures are meant for; null for fewer. */
export const databaseSuggestion = (rows: number): string | null =>
  rows <= comfortableRows
    ? null
    : `these fixtures have ${inDigits.format(rows)} rows; above ${inDigits.format(comfortableRows)}, a database (triage-api db import) starts sooner and takes less memory`;

/** The host and the name of a database, without the user and the password. */
export const databaseName = (url: string): string => {
  const { host, pathname } = new URL(url);
  return `${host || 'this machine'}${pathname}`;
};

/** A storage error, or another one with a reason, in one line. */
export const formatStorageError = (error: StorageError | Readonly<{ reason: string }>): string =>
  'reason' in error
    ? error.reason
    : error._tag === 'RecordBroken'
      ? `${error.where}: ${error.problems.map(formatProblem).join('; ')}`
      : messageOf(error.cause);

/** A report as indented JSON that is safe to look at: what a server has sent cannot disguise lines of it. */
export const jsonReport = (report: unknown): string =>
  escapeControlCharactersInLines(JSON.stringify(report, null, 2));

/** A path as it is shown to users: relative if it is below the working directory, else absolute. */
export const displayPath = (path: string): string => {
  const relativePath = relative('', path);
  return relativePath === '' || relativePath.startsWith('..') ? resolve(path) : relativePath;
};

/**
 * How this package got to where a file of it is: npm has installed it into the project of a directory, the
 * directory is in a clone of it, npx has downloaded it for one run, or it is elsewhere, such as installed
 * globally.
 */
const installationOf = (
  file: string,
  directory = '',
): 'project' | 'clone' | 'npx' | 'global' | 'elsewhere' => {
  const folders = file.split(sep);
  if (folders.includes('_npx')) return 'npx';
  const modules = folders.lastIndexOf('node_modules');
  const owner = folders.slice(0, modules === -1 ? -2 : modules).join(sep) || sep;
  const isAbove = !relative(owner, resolve(directory)).startsWith('..');
  if (modules === -1) return isAbove ? 'clone' : 'elsewhere';
  return isAbove ? 'project' : 'global';
};

export const shippedSchema = fileURLToPath(
  new URL('../../../../schema/fixture.schema.json', import.meta.url),
);

/**
 * How a file in a directory refers to the JSON Schema of this package, so that editors need no network; null
 * unless the package belongs to the same project.
 */
export const schemaPathFrom = (directory: string, schema = shippedSchema): string | null => {
  const isNear = ['project', 'clone'].includes(installationOf(schema, directory));
  return isNear ? relative(resolve(directory), schema).split(sep).join('/') : null;
};

const binary = fileURLToPath(new URL('../../../../bin/triage-api.js', import.meta.url));

/**
 * A command line of this program that can be pasted into a shell, and starts the program as it can be started
 * from the working directory.
 */
export const shellCommand = (words: readonly string[], program = binary): string => {
  const start = {
    clone: ['node', relative('', program)],
    project: ['npx', 'triage-api'],
    npx: ['npx', 'triage-api'],
    global: ['triage-api'],
    elsewhere: ['node', program],
  }[installationOf(program)];
  return [...start, ...words]
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : shellQuote(word)))
    .join(' ');
};
