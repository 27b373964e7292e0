import { timestampAt } from '../codecs/timestamp.js';
import type { SessionRecord } from '../records/session.js';
import { hashSecret, newId, newSessionValue } from './secrets.js';

/** The lifetime of a session in milliseconds: seven days from its start, whether it is used or not. */
export const sessionLifetime = 7 * 24 * 60 * 60 * 1000;

/** A new session, and the value for its cookie. */
export const newSession = (
  userId: string,
  now: number,
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
    },
  };
};
