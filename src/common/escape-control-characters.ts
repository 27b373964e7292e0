/**
 * Control characters, which could break a line of a terminal or a log or move the cursor, and those that
 * change the direction of text, which could make a line look like another one.
 */
const deceptive = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** The same without the line feed. */
const deceptiveInLines = /(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Escapes characters that could make people misread a line. JSON stays the same JSON. */
export const escapeControlCharacters = (text: string): string => text.replaceAll(deceptive, escaped);

/** The same for text of several lines, such as indented JSON: line feeds stay. */
export const escapeControlCharactersInLines = (text: string): string =>
  // Most lines of a log are plain, and it takes less time to find that out.
  isPlain.test(text) ? text : text.replaceAll(deceptiveInLines, escaped);

/** Printable ASCII and line feeds. */
const isPlain = /^[\n -~]*$/;
