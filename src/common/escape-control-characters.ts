/** Escapes control characters, which could break a line of a terminal or a log, or move the cursor. */
export const escapeControlCharacters = (text: string): string =>
  text.replaceAll(
    /[\p{Cc}\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
