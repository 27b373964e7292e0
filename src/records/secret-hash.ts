import type * as t from 'io-ts';
import { branded } from '../vocabulary/branded.js';

export interface SecretHashBrand {
  readonly SecretHash: unique symbol;
}

/** The SHA-256 of a session value or API token, in lower-case hexadecimal: the only form in which one is kept. */
export const SecretHash = branded(
  (text): text is t.Branded<string, SecretHashBrand> => /^[0-9a-f]{64}$/.test(text),
  'SHA-256 in hexadecimal',
);
export type SecretHash = t.Branded<string, SecretHashBrand>;
