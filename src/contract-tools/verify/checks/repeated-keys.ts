/** Strings, those that are keys with the colon after them, and where objects begin and end. */
const tokens = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}]/g;

/** The keys that an object of a JSON text has more than once. */
export const repeatedKeys = (json: string): readonly string[] => {
  const open: Set<string>[] = [];
  const repeated: string[] = [];
  for (const [token, colon] of json.matchAll(tokens)) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (colon !== undefined) {
      const key = unescaped(token.slice(0, -colon.length));
      if (open.at(-1)?.has(key)) repeated.push(key);
      open.at(-1)?.add(key);
    }
  }
  return repeated;
};

/** The text of a string in JSON. */
const unescaped = (literal: string): string =>
  literal.includes('\\') ? String(JSON.parse(literal)) : literal.slice(1, -1);
