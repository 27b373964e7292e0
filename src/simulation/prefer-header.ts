/** The preferences of a request by name, in lower case. One without a value has an empty one. */
export type Preferences = ReadonlyMap<string, string>;

/**
 * Reads the header `Prefer` (RFC 7240, section 2); several are joined by commas. Of a preference that is
 * given several times, the first counts. Parameters are left out, because no preference that is known here
 * has any. What is malformed is ignored, as the RFC wants unknown preferences to be: clients of all kinds
 * send some.
 */
export const readPreferHeader = (header: string): Preferences => {
  const preferences = new Map<string, string>();
  for (const part of splitUnquoted(header, ',')) {
    const [text = ''] = splitUnquoted(part, ';');
    const [, name, token, quoted] = preference.exec(text.trim()) ?? [];
    if (name === undefined) continue;
    const key = name.toLowerCase();
    if (!preferences.has(key)) preferences.set(key, token ?? quoted?.replaceAll(/\\(.)/g, '$1') ?? '');
  }
  return preferences;
};

/** A token, and a value that is a token or a quoted text (RFC 9110, sections 5.6.2 and 5.6.4). */
const preference = /^([\w!#$%&'*+.^`|~-]+)(?:[ \t]*=[ \t]*(?:([\w!#$%&'*+.^`|~-]+)|"((?:[^"\\]|\\.)*)"))?$/;

const splitUnquoted = (text: string, separator: ',' | ';'): readonly string[] => {
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let i = 0; i < text.length; i += 1) {
    const character = text[i];
    if (isQuoted && character === '\\') i += 1;
    else if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && character === separator) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  return [...parts, text.slice(start)];
};
