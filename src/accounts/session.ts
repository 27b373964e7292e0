import { timestampAt } from '../contract/codecs/timestamp.js';
import type { SessionRecord } from '../records/session.js';
import { hashSecret, newId, newSessionValue } from './secrets.js';

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
