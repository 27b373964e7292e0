import * as E from '#fp-ts/Either';
import { randomBase64url } from '#platform';
import type { Clock } from '../common/clock.js';
import { latest, millisecondsOf, type Timestamp, timestampAt } from '../contract/codecs/timestamp.js';
import {
  type Caller,
  hashCredentials,
  hashSecret,
  type RawCredentials,
  type SecretHash,
  sessionLifetime,
} from '../protocol/credentials.js';
import { type ApiTokenRecord, type SessionRecord, tokenPrefix } from '../records/account-records.js';
import type { StorageError } from '../storage/port.js';
import type { AccountDependencies } from './account-flow.js';
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

/** Whether a token is neither expired nor revoked, to the millisecond. */
export const isApiTokenValid = ({ expiresAt, revokedAt }: ApiTokenRecord, at: Timestamp): boolean =>
  (expiresAt === null || expiresAt > at) && (revokedAt === null || revokedAt > at);

export const isSessionValid = ({ expiresAt }: SessionRecord, at: Timestamp): boolean => expiresAt > at;

/**
 * The user that credentials belong to (contract, section 5); null if none are valid. A valid token takes
 * precedence over a valid session. An invalid token is ignored if the session is valid.
 */
export const resolveCaller = (
  session: SessionRecord | null,
  apiToken: ApiTokenRecord | null,
  at: Timestamp,
): Caller | null => {
  if (apiToken !== null && isApiTokenValid(apiToken, at)) return { userId: apiToken.userId };
  return session !== null && isSessionValid(session, at) ? { userId: session.userId } : null;
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

const maxRemembered = 10_000;

/**
 * Returns a function that finds out when a valid session expires. A storage says only whether it is valid at
 * a moment, so a binary search asks about thirty times; a moment that was found before takes two questions.
 * The storage is asked in the time of the server, and the answer is in that of the user.
 */
export const sessionExpiry = ({ storage, clock }: Pick<AccountDependencies, 'storage' | 'clock'>) => {
  const known = new Map<SecretHash, number>();
  return async (session: SecretHash, userId: string): Promise<E.Either<StorageError, Timestamp>> => {
    const failures: StorageError[] = [];
    const isValidAt = async (moment: number): Promise<boolean> => {
      const caller = await storage.caller({ session, apiToken: null, at: timestampAt(moment) });
      if (E.isLeft(caller) && caller.left._tag !== 'Unauthorized') failures.push(caller.left);
      return E.isRight(caller);
    };

    const now = clock();
    // It is valid at `lower`, and not any more at `upper`.
    let [lower, upper] = [now, now + sessionLifetime];
    const remembered = known.get(session) ?? 0;
    if (remembered > now && (await isValidAt(remembered - 1)) && !(await isValidAt(remembered))) {
      [lower, upper] = [remembered - 1, remembered];
    } else if (await isValidAt(upper)) {
      // The sessions of fixtures may last longer than those that a login starts.
      [lower, upper] = [upper, latest];
    }
    while (upper - lower > 1 && failures.length === 0) {
      const middle = Math.floor((lower + upper) / 2);
      if (await isValidAt(middle)) lower = middle;
      else upper = middle;
    }
    const [failure] = failures;
    if (failure !== undefined) return E.left(failure);
    if (known.size >= maxRemembered) known.clear();
    known.set(session, upper);
    const [before, own, after] = [clock(), clock(userId), clock()];
    // The clock of the server, which most users have, goes on between two readings.
    const ahead = own >= before && own <= after ? 0 : own - before;
    return E.right(timestampAt(upper === latest ? latest : upper + ahead));
  };
};
