import * as t from 'io-ts';
import { hasShape, StringCodec, type StringShape } from './string-codec.js';

const kept = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed();

const text = (name: string, shape: StringShape, otherwise: string) =>
  new StringCodec<string>(
    name,
    shape,
    (u): u is string => typeof u === 'string' && kept(u) && hasShape(shape, u),
    (u, c) => {
      if (typeof u !== 'string') return t.failure(u, c);
      if (!kept(u)) return t.failure(u, c, `${name} without U+0000 and unpaired surrogates`);
      return hasShape(shape, u) ? t.success(u) : t.failure(u, c, otherwise);
    },
  );

/**
 * Text that any storage can hold and give back unchanged: no U+0000, which PostgreSQL refuses, and no half of a
 * surrogate pair, which UTF-8 cannot express.
 */
export const Text = text('text', {}, 'text');

/** How long an id may be, in characters: three of them fit the key of an index. */
export const maxIdentifierLength = 200;

/** An opaque id (contract, section 2): text that is not empty, so that it can stand in a path. */
export const Identifier = text(
  'identifier',
  { minLength: 1, maxLength: maxIdentifierLength },
  `identifier of 1 to ${maxIdentifierLength} characters`,
);

/** How long an e-mail address may be (RFC 5321, with the corrections to it). */
export const maxEmailLength = 254;

/** An e-mail address as far as it can be told by looking at it: something, an at sign, something, no white space. */
export const Email = text(
  'e-mail address',
  { pattern: /^[^\s@]+@[^\s@]+$/, format: 'email', maxLength: maxEmailLength },
  `e-mail address of at most ${maxEmailLength} characters`,
);
