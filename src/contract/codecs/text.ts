import * as t from 'io-ts';
import { hasShape, StringCodec, type StringShape } from './string-codec.js';

const isStorable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed();

const text = (name: string, shape: StringShape, mismatch: string) =>
  new StringCodec<string>(
    name,
    shape,
    (u): u is string => typeof u === 'string' && isStorable(u) && hasShape(shape, u),
    (u, c) => {
      if (typeof u !== 'string') return t.failure(u, c);
      if (!isStorable(u)) return t.failure(u, c, `${name} without U+0000 and unpaired surrogates`);
      return hasShape(shape, u) ? t.success(u) : t.failure(u, c, mismatch);
    },
  );

/** The maximum length of text, in code points, so that no value makes a page of any size. */
export const maxTextLength = 100_000;

/**
 * Text that every storage can return unchanged: without U+0000, which PostgreSQL refuses, and without
 * unpaired surrogates, which UTF-8 cannot encode.
 */
export const Text = text('text', { maxLength: maxTextLength }, `text of at most ${maxTextLength} characters`);

/** The maximum length of an id, in code points. A PostgreSQL index key has room for three. */
export const maxIdentifierLength = 200;

/** An opaque id (contract, section 2). It is not empty, so it can be part of a path. */
export const Identifier = text(
  'identifier',
  { minLength: 1, maxLength: maxIdentifierLength },
  `identifier of 1 to ${maxIdentifierLength} characters`,
);

/** The maximum length of an e-mail address (RFC 5321 with errata). */
export const maxEmailLength = 254;

/** An e-mail address, checked for its basic form only: one at sign, text on both sides, no white space. */
export const Email = text(
  'e-mail address',
  { pattern: /^[^\s@]+@[^\s@]+$/, format: 'email', maxLength: maxEmailLength },
  `e-mail address of at most ${maxEmailLength} characters`,
);
