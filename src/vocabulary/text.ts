import * as t from 'io-ts';

const kept = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed();

const text = (name: string, most: (text: string) => boolean, otherwise: string) =>
  new t.Type<string, string, unknown>(
    name,
    (u): u is string => typeof u === 'string' && kept(u) && most(u),
    (u, c) => {
      if (typeof u !== 'string') return t.failure(u, c);
      if (!kept(u)) return t.failure(u, c, `${name} without U+0000 and unpaired surrogates`);
      return most(u) ? t.success(u) : t.failure(u, c, otherwise);
    },
    t.identity,
  );

/**
 * Text that any storage can hold and give back unchanged: no U+0000, which PostgreSQL refuses, and no half of a
 * surrogate pair, which UTF-8 cannot express.
 */
export const Text = text('text', () => true, 'text');

/** Whether a text has at most so many characters (code points, of which some take two units). */
const isWithin = (text: string, most: number): boolean =>
  text.length <= most || (text.length <= 2 * most && Array.from(text).length <= most);

/** How long an id may be: three of them fit the key of an index. */
export const longestIdentifier = 200;

/** An opaque id (contract, section 2): text that is not empty, so that it can stand in a path. */
export const Identifier = text(
  'identifier',
  (id) => id !== '' && isWithin(id, longestIdentifier),
  `identifier of 1 to ${longestIdentifier} characters`,
);

/** How long an e-mail address may be (RFC 5321, with the corrections to it). */
export const longestEmail = 254;

/** An e-mail address as far as it can be told by looking at it: something, an at sign, something, no white space. */
export const Email = text(
  'e-mail address',
  (address) => address.length <= longestEmail && /^[^\s@]+@[^\s@]+$/.test(address),
  `e-mail address of at most ${longestEmail} characters`,
);
