import { millisecondsOf, type Timestamp } from '../codecs/timestamp.js';
import type { ApiTokenRecord } from './api-token.js';
import type { Caller } from './caller.js';
import type { SessionRecord } from './session.js';

/** Whether a token holds: neither expired nor revoked, each to the millisecond. */
export const isApiTokenValid = ({ expiresAt, revokedAt }: ApiTokenRecord, at: Timestamp): boolean =>
  (expiresAt === null || expiresAt > at) && (revokedAt === null || revokedAt > at);

/** Whether a session holds. */
export const isSessionValid = ({ expiresAt }: SessionRecord, at: Timestamp): boolean => expiresAt > at;

/**
 * The tenant whom credentials belong to (contract, section 5); null: none of them holds. Where both are given, a valid token
 * decides, else a valid session: an expired token beside a good cookie does no harm.
 */
export const resolveCaller = (
  session: SessionRecord | null,
  apiToken: ApiTokenRecord | null,
  at: Timestamp,
): Caller | null => {
  if (apiToken !== null && isApiTokenValid(apiToken, at)) return { userId: apiToken.userId };
  return session !== null && isSessionValid(session, at) ? { userId: session.userId } : null;
};

/** How exactly it is known when a token was last used, in milliseconds: noting each use would be a write a request. */
export const lastUsedResolution = 60_000;

/** Whether a use at this moment is to be noted. */
export const shouldRecordUse = ({ lastUsedAt }: ApiTokenRecord, at: Timestamp): boolean =>
  lastUsedAt === null || millisecondsOf(at) - millisecondsOf(lastUsedAt) >= lastUsedResolution;
