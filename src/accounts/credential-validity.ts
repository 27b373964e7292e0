import { millisecondsOf, type Timestamp } from '../contract/codecs/timestamp.js';
import type { ApiTokenRecord } from '../records/api-token.js';
import type { Caller } from '../records/caller.js';
import type { SessionRecord } from '../records/session.js';

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
