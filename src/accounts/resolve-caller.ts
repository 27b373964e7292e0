import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { ApiTokenRecord } from '../records/api-token.js';
import type { SecretHash } from '../records/secret-hash.js';
import type { SessionRecord } from '../records/session.js';
import type { Storage, StorageError } from '../storage/port.js';
import type { Caller } from '../vocabulary/caller.js';
import type { Clock } from '../vocabulary/clock.js';
import { millisecondsOf, timestampAt } from '../vocabulary/timestamp.js';
import { hashSecret } from './hash-secret.js';
import { sameHash } from './same-hash.js';

/** What a request brought along to say who is asking, as far as its endpoint reads it; `null`: nothing. */
export type Credentials = Readonly<{ sessionValue: string | null; bearerToken: string | null }>;

/** Missing, expired, revoked or unknown credentials: these are not told apart (contract, section 5, rule 4). */
export type Unauthorized = Readonly<{ _tag: 'Unauthorized' }>;

type Dependencies = Readonly<{ storage: Pick<Storage, 'credentials' | 'noteApiTokenUse'>; clock: Clock }>;

/** How exactly it is known when a token was last used, in milliseconds: noting each use would be a write a request. */
const useGrain = 60_000;

/**
 * The tenant whom a request's credentials belong to (contract, section 5). Where both are given, a valid token decides,
 * else a valid session: an expired token beside a good cookie does no harm.
 */
export const resolveCaller =
  ({ storage, clock }: Dependencies) =>
  ({ sessionValue, bearerToken }: Credentials): TE.TaskEither<StorageError | Unauthorized, Caller> => {
    const session = sessionValue === null ? null : hashSecret(sessionValue);
    const apiToken = bearerToken === null ? null : hashSecret(bearerToken);
    if (session === null && apiToken === null) return TE.left({ _tag: 'Unauthorized' });
    const now = clock();
    return pipe(
      storage.credentials({ session, apiToken }),
      TE.flatMap((found): TE.TaskEither<StorageError | Unauthorized, Caller> => {
        if (holdsToken(found.apiToken, apiToken, now)) {
          const { userId, hash, lastUsedAt } = found.apiToken;
          if (lastUsedAt !== null && now - millisecondsOf(lastUsedAt) < useGrain) return TE.right({ userId });
          return pipe(
            storage.noteApiTokenUse(hash, timestampAt(now)),
            TE.match(
              // What was not noted is no reason to refuse a good token.
              () => E.right({ userId }),
              () => E.right({ userId }),
            ),
          );
        }
        if (holdsSession(found.session, session, now)) return TE.right({ userId: found.session.userId });
        return TE.left({ _tag: 'Unauthorized' });
      }),
    );
  };

const holdsToken = (
  record: ApiTokenRecord | null,
  given: SecretHash | null,
  now: number,
): record is ApiTokenRecord =>
  record !== null &&
  given !== null &&
  sameHash(record.hash, given) &&
  (record.expiresAt === null || millisecondsOf(record.expiresAt) > now) &&
  (record.revokedAt === null || millisecondsOf(record.revokedAt) > now);

const holdsSession = (
  record: SessionRecord | null,
  given: SecretHash | null,
  now: number,
): record is SessionRecord =>
  record !== null && given !== null && sameHash(record.hash, given) && millisecondsOf(record.expiresAt) > now;
