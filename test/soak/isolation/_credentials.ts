/** A session or a token, and what is known about its life. */
export type Credential = {
  readonly kind: 'session' | 'token';
  readonly value: string;
  readonly tenant: string;
  /** By which its owner can revoke it; null for sessions. */
  readonly id: string | null;
  /** The moment at which it expires by itself. */
  readonly expiresAt: number;
  /** `ending` while a request that ends it is on its way: then both answers are right. */
  state: 'live' | 'ending' | 'dead';
};

/** What a request with a credential must lead to, as known before it is sent. */
export type Standing = 'live' | 'dead' | 'open';

/** Clocks of two processes on a machine are one, but moments are rounded to milliseconds. */
const rounding = 2;

export const standingOf = ({ state, expiresAt }: Credential, at: number): Standing => {
  if (state === 'dead' || at > expiresAt + rounding) return 'dead';
  return state === 'live' && at < expiresAt - rounding ? 'live' : 'open';
};

/**
 * What an answer must be that was asked for between two moments: what held at the beginning, unless it has
 * changed since. Only what ends can change, so a dead credential stays dead.
 */
export const standingOver = (credential: Credential, before: Standing, end: number): Standing => {
  if (before === 'dead') return 'dead';
  return before === 'live' && standingOf(credential, end) === 'live' ? 'live' : 'open';
};
