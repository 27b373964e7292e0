import { createHash } from 'node:crypto';
import { SecretHash } from '../records/secret-hash.js';

/**
 * The SHA-256 of a session value or an API token. These are long and random where the service makes them, so that a fast
 * hash is enough: there is nothing to guess. (Passwords are another matter.)
 */
export const hashSecret = (secret: string): SecretHash => {
  const hash = createHash('sha256').update(secret, 'utf8').digest('hex');
  if (!SecretHash.is(hash)) throw new TypeError('SHA-256 gave no SHA-256');
  return hash;
};
