import { timestampAt } from '../codecs/timestamp.js';
import type { SessionRecord } from '../records/session.js';
import { hashSecret } from './hash-secret.js';
import { newId, newSessionValue } from './secrets.js';

/** How long a session holds, in milliseconds: seven days from its start, used or not. */
export const sessionLifetime = 7 * 24 * 60 * 60 * 1000;

/** A new session, and the value that its cookie is to hold. */
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
