import { escapeControlCharacters } from '../../common/messages.js';
import type { FixtureProblems } from '../../fixtures/read-fixtures.js';
import type { Dataset } from '../../records/dataset.js';

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
