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

/** An opaque id (contract, section 2): text that is not empty, so that it can stand in a path. */
export const Identifier = text('identifier', (id) => id !== '', 'identifier that is not empty');

/** An e-mail address as far as it can be told by looking at it: something, an at sign, something, no white space. */
export const Email = text('e-mail address', (address) => /^[^\s@]+@[^\s@]+$/.test(address), 'e-mail address');
