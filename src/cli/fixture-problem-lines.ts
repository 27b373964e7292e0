import type { FixtureProblems } from '../storage/fixtures/read-fixtures.js';

/** All problems of a directory of fixtures, a line each, and their number last. */
export const fixtureProblemLines = (problems: FixtureProblems): readonly string[] => [
  ...problems,
  `refused: ${problems.length} problem${problems.length === 1 ? '' : 's'}`,
];
