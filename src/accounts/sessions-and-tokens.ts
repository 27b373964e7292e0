import * as E from '#fp-ts/Either';
import { randomBase64url } from '#platform';
import { hashCredentials, hashSecret, type RawCredentials, sessionLifetime } from '../api/credentials.js';
import type { Clock } from '../common/clock.js';
import { millisecondsOf, type Timestamp, timestampAt } from '../contract/codecs/timestamp.js';
import { type ApiTokenRecord, type SessionRecord, tokenPrefix } from './account-records.js';
import type { AccountStorage } from './account-storage.js';

/** A new session value or password: 256 random bits that cookies, headers and paths carry unescaped. */
export const newSecret = (): string => randomBase64url(32);

/** A new API token. Its prefix identifies it to people and to secret scanners. */
export const newApiToken = (): string => `triage_${newSecret()}`;

/** A new unique id, not secret: `usr_…`. */
export const newId = (kind: string): string => `${kind}_${randomBase64url(9)}`;

/** Returns a function that tells whether a storage accepts credentials now. */
export const areAccepted =
  ({ storage, clock }: Readonly<{ storage: Pick<AccountStorage, 'caller'>; clock: Clock }>) =>
  async ({ sessionValue = null, bearerToken = null }: Partial<RawCredentials>): Promise<boolean> => {
    const hashed = hashCredentials({ sessionValue, bearerToken }, timestampAt(clock()));
    return E.isRight(hashed) && E.isRight(await storage.caller(hashed.right));
  };

/** The resolution of `lastUsedAt`, in milliseconds. Recording every use would cost a write per request. */
export const lastUsedResolution = 60_000;

export const shouldRecordUse = ({ lastUsedAt }: ApiTokenRecord, at: Timestamp): boolean =>
  lastUsedAt === null || millisecondsOf(at) - millisecondsOf(lastUsedAt) >= lastUsedResolution;

/**
 * A new session, and the value for its cookie. `network`: that of whoever starts it, of which a hash is kept,
 * because it is personal data; null: the server itself.
 */
export const newSession = (
  userId: string,
  now: number,
  network: string | null,
): Readonly<{ value: string; record: SessionRecord }> => {
  const value = newSecret();
  const record = {
    id: newId('ses'),
    userId,
    hash: hashSecret(value),
    createdAt: timestampAt(now),
    expiresAt: timestampAt(now + sessionLifetime),
    origin: network === null ? null : hashSecret(network).slice(0, 16),
  };
  return { value, record };
};

/** What is stored of a new API token. Without a moment, it is valid until revoked. */
export const newApiTokenRecord = (
  token: string,
  userId: string,
  name: string,
  now: number,
  expiresAt: Timestamp | null,
): ApiTokenRecord => ({
  id: newId('tok'),
  userId,
  name,
  prefix: tokenPrefix(token),
  hash: hashSecret(token),
  createdAt: timestampAt(now),
  expiresAt,
  revokedAt: null,
  lastUsedAt: null,
});
