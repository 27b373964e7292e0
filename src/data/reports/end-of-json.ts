const [quote, backslash] = [0x22, 0x5c];
const [openingBracket, openingBrace] = [0x5b, 0x7b];
const [closingBracket, closingBrace] = [0x5d, 0x7d];
const comma = 0x2c;

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
    else if (unit === openingBracket || unit === openingBrace) depth += 1;
    else if (unit === closingBracket || unit === closingBrace) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return null;
};

/**
 * Whether a JSON text has at least this many values, counted by commas and brackets outside of strings. A
 * short text of many small values takes far more memory than its length once it is parsed.
 */
export const hasValues = (text: string, count: number): boolean => {
  if (text.length < count) return false;
  let values = 0;
  let inString = false;
  for (let at = 0; at < text.length && values < count; at += 1) {
    const unit = text.charCodeAt(at);
    if (inString) {
      if (unit === backslash) at += 1;
      else if (unit === quote) inString = false;
    } else if (unit === quote) inString = true;
    else if (unit === comma || unit === openingBracket || unit === openingBrace) values += 1;
  }
  return values >= count;
};
