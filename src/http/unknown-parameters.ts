import type { RawInput } from '../api/decode-input.js';
import type { Problem } from '../vocabulary/problem.js';

/** The names in a query that the operation does not take, in the order of their first use. */
export const unknownParameters = (known: readonly string[], { query }: RawInput): readonly string[] =>
  Array.from(query.keys()).filter((name) => !known.includes(name));

/** How many names a warning tells, and how much of each, so that a request cannot make its answer's headers grow without end. */
const mostNames = 10;
const longestName = 60;

/** The value of `X-Triage-Warning`: the names percent-encoded, since a header cannot carry all characters. */
export const unknownParametersWarning = (names: readonly string[]): string => {
  const shown = names.slice(0, mostNames).map((name) => `"${cut(encodeURIComponent(name))}"`);
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
  return `ignored unknown query parameters: ${shown.join(', ')}${more}`;
};

/** The same as problems, for those who want a request with an unknown parameter refused. */
export const unknownParameterProblems = (
  known: readonly string[],
  names: readonly string[],
): readonly Problem[] => {
  const expected = known.length === 0 ? 'no query parameters' : `no parameters but ${known.join(', ')}`;
  return names
    .slice(0, mostNames)
    .map((name) => ({ path: [name.slice(0, longestName)], expected, got: 'this one' }));
};

const cut = (name: string): string => (name.length > longestName ? `${name.slice(0, longestName)}...` : name);
