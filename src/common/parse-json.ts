/**
 * The value of a JSON text; undefined if the text is not JSON. `revive` replaces each value inside it, as the
 * second argument of `JSON.parse` does.
 */
export const parseJson = (text: string, revive?: (key: string, value: unknown) => unknown): unknown => {
  try {
    return JSON.parse(text, revive);
  } catch {
    return undefined;
  }
};
