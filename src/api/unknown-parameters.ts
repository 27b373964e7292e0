import type { Problem } from '../codecs/problem.js';

/** The names in a query that the operation does not take, in the order of their first use. */
export const unknownParameters = (
  known: readonly string[],
  { query }: Readonly<{ query: ReadonlyMap<string, unknown> }>,
): readonly string[] => Array.from(query.keys()).filter((name) => !known.includes(name));

/** How many names are told, and how much of each, so that a request cannot make its answer grow without end. */
export const mostNames = 10;
export const longestName = 60;

/** Unknown parameters as problems, for those who want a request with one refused. */
export const unknownParameterProblems = (
  known: readonly string[],
  names: readonly string[],
): readonly Problem[] => {
  const expected = known.length === 0 ? 'no query parameters' : `no parameters but ${known.join(', ')}`;
  return names
    .slice(0, mostNames)
    .map((name) => ({ path: [name.slice(0, longestName)], expected, got: 'this one' }));
};
