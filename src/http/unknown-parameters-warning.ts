import { longestName, mostNames } from '../api/unknown-parameters.js';

/** The value of `X-Triage-Warning`: the names percent-encoded, since a header cannot carry all characters. */
export const unknownParametersWarning = (names: readonly string[]): string => {
  const shown = names.slice(0, mostNames).map((name) => `"${cut(encodeURIComponent(name))}"`);
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
  return `ignored unknown query parameters: ${shown.join(', ')}${more}`;
};

const cut = (name: string): string => (name.length > longestName ? `${name.slice(0, longestName)}...` : name);
