import * as E from '#fp-ts/Either';
import { randomBase64url, sha256Hex } from '#platform';
import type { Timestamp } from '../contract/codecs/timestamp.js';
import { SecretHash } from '../records/secret-hash.js';
import type { PresentedCredentials, Unauthorized } from '../storage/port.js';

/** 256 random bits in characters that cookies, headers and paths carry unescaped. */
const randomText = (): string => randomBase64url(32);

/** A new session value. */
export const newSessionValue = (): string => randomText();

/** A new API token. Its prefix identifies it to people and to secret scanners. */
export const newApiToken = (): string => `triage_${randomText()}`;

/** A new password for an account that is made for somebody. */
export const newPassword = (): string => randomText();

/** A new unique id, not secret: `usr_…`. */
export const newId = (kind: string): string => `${kind}_${randomBase64url(9)}`;

/**
 * The SHA-256 of a session value or an API token. A fast hash is enough, because these are long and random
 * and cannot be guessed. Passwords need `hashPassword`.
 */
export const hashSecret = (secret: string): SecretHash => {
  const hash = sha256Hex(secret);
  if (!SecretHash.is(hash)) throw new TypeError('SHA-256 produced an invalid hash');
  return hash;
};

/** The credentials of a request, as far as its endpoint accepts them; `null`: there are none. */
export type RawCredentials = Readonly<{ sessionValue: string | null; bearerToken: string | null }>;

/**
 * Hashes the credentials of a request: the storage never sees a secret. A request without any is
 * unauthorized.
 */
export const hashCredentials = (
  { sessionValue, bearerToken }: RawCredentials,
  at: Timestamp,
): E.Either<Unauthorized, PresentedCredentials> =>
  sessionValue === null && bearerToken === null
    ? E.left({ _tag: 'Unauthorized' })
    : E.right({
        session: sessionValue === null ? null : hashSecret(sessionValue),
        apiToken: bearerToken === null ? null : hashSecret(bearerToken),
        at,
      });
