/** Some programs start a text with it. JSON that is sent must not have it (RFC 8259, section 8.1). */
export const byteOrderMark = '\uFEFF';

/**
 * The value of a JSON text; undefined if the text is not JSON. `revive` replaces each value inside it, as the
 * second argument of `JSON.parse` does. A byte-order mark at the start is ignored, as RFC 8259, section 8.1,
 * allows.
 */
export const parseJson = (text: string, revive?: (key: string, value: unknown) => unknown): unknown => {
  try {
    return JSON.parse(text.startsWith(byteOrderMark) ? text.slice(1) : text, revive);
  } catch {
    return undefined;
  }
};
