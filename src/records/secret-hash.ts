import type * as t from 'io-ts';
import { branded } from '../contract/codecs/text-and-numbers.js';

export interface SecretHashBrand {
  readonly SecretHash: unique symbol;
}

/**
 * The SHA-256 of a session value or API token, in lower-case hexadecimal. Storages hold nothing else of a
 * secret.
 */
export const SecretHash = branded<SecretHashBrand>('SHA-256 in hexadecimal', { pattern: /^[0-9a-f]{64}$/ });
export type SecretHash = t.Branded<string, SecretHashBrand>;
