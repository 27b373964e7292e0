import { type Problem, problem } from '../codecs/problem.js';
import { didYouMean } from '../common/did-you-mean.js';

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
  const takes = known.length === 0 ? 'takes no query parameters' : `takes ${known.join(', ')}`;
  return names.slice(0, mostNames).map((name) => {
    const shown = name.slice(0, longestName);
    const hint = didYouMean(shown, known);
    return problem(
      [shown],
      `unknown parameter ${JSON.stringify(shown)}${hint === '' ? `; this operation ${takes}` : hint}`,
    );
  });
};
