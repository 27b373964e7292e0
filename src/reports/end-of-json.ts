const [quote, backslash] = [0x22, 0x5c];
const opening = [0x5b, 0x7b];
const closing = [0x5d, 0x7d];

/**
 * The index after the object or array that begins at `from`; null if it does not end. Counts brackets outside
 * of strings and nothing else, so it says nothing about whether the JSON is valid.
 */
export const endOfJson = (text: string, from: number): number | null => {
  let depth = 0;
  let inString = false;
  for (let at = from; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (inString) {
      if (unit === backslash) at += 1;
      else if (unit === quote) inString = false;
    } else if (unit === quote) inString = true;
    else if (opening.includes(unit)) depth += 1;
    else if (closing.includes(unit)) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return null;
};
