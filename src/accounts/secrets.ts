import { createHash, randomBytes } from 'node:crypto';
import { SecretHash } from '../records/secret-hash.js';

/** 256 random bits in characters that cookies, headers and paths carry unescaped. */
const randomText = (): string => randomBytes(32).toString('base64url');

/** A new session value. */
export const newSessionValue = (): string => randomText();

/** A new API token. Its prefix identifies it to people and to secret scanners. */
export const newApiToken = (): string => `triage_${randomText()}`;

/** A new unique id, not secret: `usr_…`. */
export const newId = (kind: string): string => `${kind}_${randomBytes(9).toString('base64url')}`;

/**
 * The SHA-256 of a session value or an API token. A fast hash is enough, because these are long and random
 * and cannot be guessed. Passwords need `hashPassword`.
 */
export const hashSecret = (secret: string): SecretHash => {
  const hash = createHash('sha256').update(secret, 'utf8').digest('hex');
  if (!SecretHash.is(hash)) throw new TypeError('SHA-256 produced an invalid hash');
  return hash;
};
