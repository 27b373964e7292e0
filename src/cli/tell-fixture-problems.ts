import type { FixtureProblems } from '../storage/fixtures/read-directory.js';
import type { Terminal } from './terminal.js';

/** All problems of a directory of fixtures on standard error, one a line, and their number last. */
export const tellFixtureProblems = (terminal: Terminal, problems: FixtureProblems): void => {
  for (const problem of problems) terminal.err(problem);
  terminal.err(`fixtures refused: ${problems.length} problem${problems.length === 1 ? '' : 's'}`);
};
