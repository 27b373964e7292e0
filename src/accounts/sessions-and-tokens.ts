import * as E from '#fp-ts/Either';
import type { TaskEither } from '#fp-ts/TaskEither';
import { randomBase64url, sha256Hex } from '#platform';
import { millisecondsOf, type Timestamp, timestampAt } from '../contract/codecs/timestamp.js';
import {
  type ApiTokenRecord,
  type Caller,
  SecretHash,
  type SessionRecord,
} from '../records/account-records.js';
import type { AccountStorage, PresentedCredentials, StorageError, Unauthorized } from '../storage/port.js';
import type { AccountDependencies } from './account-flow.js';

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

/** Whether a token is neither expired nor revoked, to the millisecond. */
export const isApiTokenValid = ({ expiresAt, revokedAt }: ApiTokenRecord, at: Timestamp): boolean =>
  (expiresAt === null || expiresAt > at) && (revokedAt === null || revokedAt > at);

/** Whether a session has not expired. */
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

/** Whether a token's use at this moment must be recorded. */
export const shouldRecordUse = ({ lastUsedAt }: ApiTokenRecord, at: Timestamp): boolean =>
  lastUsedAt === null || millisecondsOf(at) - millisecondsOf(lastUsedAt) >= lastUsedResolution;

/** The lifetime of a session in milliseconds: seven days from its start, whether it is used or not. */
export const sessionLifetime = 7 * 24 * 60 * 60 * 1000;

/** Where a session is started from: a hash of the network address, which is personal data. */
const originOf = (address: string): string => hashSecret(address).slice(0, 16);

/**
 * A new session, and the value for its cookie. `address`: the network address of whoever starts it; null: the
 * server itself.
 */
export const newSession = (
  userId: string,
  now: number,
  address: string | null,
): Readonly<{ value: string; record: SessionRecord }> => {
  const value = newSessionValue();
  return {
    value,
    record: {
      id: newId('ses'),
      userId,
      hash: hashSecret(value),
      createdAt: timestampAt(now),
      expiresAt: timestampAt(now + sessionLifetime),
      origin: address === null ? null : originOf(address),
    },
  };
};

type Dependencies = Readonly<{ storage: Pick<AccountStorage, 'caller'> }> &
  Pick<AccountDependencies, 'clock'>;

/** The last moment that a timestamp can name. */
const endOfTime = Date.parse('9999-12-31T23:59:59.999Z');

/** Of how many sessions the end is remembered. */
const maxRemembered = 10_000;

/**
 * Returns a function that finds out when a session, which is valid now, expires. A storage says whether a
 * session is valid at a moment, and nothing else, so the moment is found by binary search, with about thirty
 * questions. A moment that was found before takes two: it still holds, unless fixtures have changed.
 */
export const sessionExpiry = ({
  storage,
  clock,
}: Dependencies): ((session: SecretHash) => TaskEither<StorageError, Timestamp>) => {
  const known = new Map<SecretHash, number>();

  const isValidAt = async (session: SecretHash, at: number): Promise<E.Either<StorageError, boolean>> => {
    const caller = await storage.caller({ session, apiToken: null, at: timestampAt(at) })();
    if (E.isRight(caller)) return E.right(true);
    return caller.left._tag === 'Unauthorized' ? E.right(false) : E.left(caller.left);
  };

  const isExpiry = async (session: SecretHash, moment: number): Promise<E.Either<StorageError, boolean>> => {
    const before = await isValidAt(session, moment - 1);
    if (E.isLeft(before) || !before.right) return before;
    return E.map((isValid: boolean) => !isValid)(await isValidAt(session, moment));
  };

  /** The first moment after `valid`, and not after `over`, at which the session is not valid. */
  const search = async (
    session: SecretHash,
    valid: number,
    over: number,
  ): Promise<E.Either<StorageError, number>> => {
    let [lower, upper] = [valid, over];
    while (upper - lower > 1) {
      const middle = Math.floor((lower + upper) / 2);
      const answer = await isValidAt(session, middle);
      if (E.isLeft(answer)) return answer;
      if (answer.right) lower = middle;
      else upper = middle;
    }
    return E.right(upper);
  };

  return (session) => async () => {
    const now = clock();
    const remembered = known.get(session);
    if (remembered !== undefined && remembered > now) {
      const holds = await isExpiry(session, remembered);
      if (E.isLeft(holds)) return holds;
      if (holds.right) return E.right(timestampAt(remembered));
    }
    // The sessions of fixtures may last longer than those that a login starts.
    const outlasts = await isValidAt(session, now + sessionLifetime);
    if (E.isLeft(outlasts)) return outlasts;
    const found = outlasts.right
      ? await search(session, now + sessionLifetime, endOfTime)
      : await search(session, now, now + sessionLifetime);
    if (E.isLeft(found)) return found;
    if (known.size >= maxRemembered) known.clear();
    known.set(session, found.right);
    return E.right(timestampAt(found.right));
  };
};
