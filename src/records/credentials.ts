import type { Caller } from '../vocabulary/caller.js';
import { millisecondsOf, type Timestamp } from '../vocabulary/timestamp.js';
import type { ApiTokenRecord } from './api-token.js';
import type { SessionRecord } from './session.js';

/** Whether a token holds: neither expired nor revoked, each to the millisecond. */
export const apiTokenHolds = ({ expiresAt, revokedAt }: ApiTokenRecord, at: Timestamp): boolean =>
  (expiresAt === null || expiresAt > at) && (revokedAt === null || revokedAt > at);

/** Whether a session holds. */
export const sessionHolds = ({ expiresAt }: SessionRecord, at: Timestamp): boolean => expiresAt > at;

/**
 * The tenant whom credentials belong to (contract, section 5); null: none of them holds. Where both are given, a valid token
 * decides, else a valid session: an expired token beside a good cookie does no harm.
 */
export const callerOf = (
  session: SessionRecord | null,
  apiToken: ApiTokenRecord | null,
  at: Timestamp,
): Caller | null => {
  if (apiToken !== null && apiTokenHolds(apiToken, at)) return { userId: apiToken.userId };
  return session !== null && sessionHolds(session, at) ? { userId: session.userId } : null;
};

/** How exactly it is known when a token was last used, in milliseconds: noting each use would be a write a request. */
export const useGrain = 60_000;

/** Whether a use at this moment is to be noted. */
export const isUseDue = ({ lastUsedAt }: ApiTokenRecord, at: Timestamp): boolean =>
  lastUsedAt === null || millisecondsOf(at) - millisecondsOf(lastUsedAt) >= useGrain;
