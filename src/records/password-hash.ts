import type * as t from 'io-ts';
import { branded } from '../contract/codecs/text-and-numbers.js';

export interface PasswordHashBrand {
  readonly PasswordHash: unique symbol;
}

/**
 * The scrypt hash of a password with its parameters and salt: `scrypt$N$r$p$salt$hash`, the last two in
 * base64url.
 */
export const PasswordHash = branded<PasswordHashBrand>('scrypt hash', {
  pattern: /^scrypt\$\d{1,8}\$\d{1,3}\$\d{1,3}\$[\w-]{22,}\$[\w-]{43,}$/,
});
export type PasswordHash = t.Branded<string, PasswordHashBrand>;
