/**
 * Control characters, which could break a line of a terminal or a log or move the cursor, and those that
 * change the direction of text, which could make a line look like another one.
 */
const deceptive = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** The same without the line feed. */
const deceptiveInLines = /[^\P{Cc}\n]|[\p{Bidi_Control}\u2028\u2029]/gu;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Escapes characters that could make people misread a line. JSON stays the same JSON. */
export const escapeControlCharacters = (text: string): string => text.replaceAll(deceptive, escaped);

/** The same for text of several lines, such as indented JSON: line feeds stay. */
export const escapeControlCharactersInLines = (text: string): string =>
  text.replaceAll(deceptiveInLines, escaped);

/** The number of single-character edits that turn one word into another (Levenshtein distance). */
const editDistance = (left: string, right: string): number => {
  let row = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (const [index, character] of Array.from(left).entries()) {
    const next = [index + 1];
    for (let column = 1; column <= right.length; column += 1) {
      const substitution = (row[column - 1] ?? 0) + (character === right[column - 1] ? 0 : 1);
      next.push(Math.min(substitution, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
};

/** Longer words are not compared: they cannot be a misspelt name, and comparing them is slow. */
const maxLength = 60;

/** The known word closest to `word`; null if none is close enough to be meant. */
export const nearest = (word: string, names: readonly string[]): string | null => {
  if (word.length > maxLength) return null;
  const [best] = names
    .map((name) => ({ name, distance: editDistance(word.toLowerCase(), name.toLowerCase()) }))
    .sort((l, r) => l.distance - r.distance);
  const isClose =
    best !== undefined && best.distance <= Math.min(3, Math.max(1, Math.floor(best.name.length / 2)));
  return isClose ? best.name : null;
};

/** `; did you mean "x"?` for the nearest known word; empty if none is close. */
export const didYouMean = (word: string, names: readonly string[]): string => {
  const best = nearest(word, names);
  return best === null ? '' : `; did you mean ${JSON.stringify(best)}?`;
};

/** How many pairs of words are compared at most to find one that is similar. */
const maxComparisons = 20_000;

/** The known words with which so many unknown ones can be compared in no time: none if there are too many. */
export const comparable = (unknown: number, names: readonly string[]): readonly string[] =>
  unknown * names.length > maxComparisons ? [] : names;

/** How many known words a message lists. */
const maxListed = 20;

/**
 * What was expected in the place of an unknown word: the known ones, or the first of many, and the nearest.
 * `others`: words that are known, too, and not worth listing.
 */
export const expectedOneOf = (
  word: string,
  names: readonly string[],
  others: readonly string[] = [],
): string => {
  const quoted = JSON.stringify(word.length > maxLength ? `${word.slice(0, maxLength)}…` : word);
  if (names.length === 0) return `there is none, so ${quoted} is unknown`;
  const rest = names.length - maxListed;
  const list = [...names.slice(0, maxListed), ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
  return `expected one of ${list}, got ${quoted}${didYouMean(word, comparable(1, [...names, ...others]))}`;
};

/** Text as one word of a POSIX shell, taken literally. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Why a server cannot start or change its state. The message lists all `problems`, one per line. */
export class TriageApiError extends Error {
  override readonly name = 'TriageApiError';

  constructor(readonly problems: readonly string[]) {
    super(
      [`triage-api: ${problems.length} problem${problems.length === 1 ? '' : 's'}`, ...problems].join('\n  '),
    );
  }
}

/** A number with its noun: `1 repository`, `1,234 repositories`. */
export const withNoun = (count: number, one: string, several: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : several}`;
