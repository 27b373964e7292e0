/**
 * Text as XML 1.0 takes it, in elements and in attributes: what has a meaning there escaped, line breaks and tabs as
 * references, so that attributes keep them, and characters that XML cannot hold at all replaced by U+FFFD.
 */
export const xmlText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replaceAll(/[&<>"'\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
