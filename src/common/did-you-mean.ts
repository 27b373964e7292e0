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
export const nearest = (word: string, known: readonly string[]): string | null => {
  if (word.length > maxLength) return null;
  const lower = word.toLowerCase();
  const ranked = known
    .map((name) => ({ name, distance: editDistance(lower, name.toLowerCase()) }))
    .sort((l, r) => l.distance - r.distance);
  const [best] = ranked;
  return best !== undefined && best.distance <= Math.min(3, Math.max(1, Math.floor(best.name.length / 2)))
    ? best.name
    : null;
};

/** `; did you mean "x"?` for the nearest known word; empty if none is close. */
export const didYouMean = (word: string, known: readonly string[]): string => {
  const best = nearest(word, known);
  return best === null ? '' : `; did you mean ${JSON.stringify(best)}?`;
};
