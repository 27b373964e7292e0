import * as t from 'io-ts';
import type { Clock } from '../common/clock.js';
import { integerFrom } from '../contract/codecs/text-and-numbers.js';

/** So many requests in so many seconds. */
const RateLimitPolicy = t.type({ quota: integerFrom(1), seconds: integerFrom(1) });
type RateLimitPolicy = Readonly<t.TypeOf<typeof RateLimitPolicy>>;

const secondsOf: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3600 };

/** A rate as people write it: so many requests per second, minute or hour. */
export const RateLimitPolicyText = new t.Type<RateLimitPolicy, string, unknown>(
  'a rate such as 10/s, 60/min or 1000/h',
  RateLimitPolicy.is,
  (u, c) => {
    const [, quota, unit = ''] = /^([1-9]\d{0,8})\/(s|min|h)$/.exec(typeof u === 'string' ? u : '') ?? [];
    const seconds = secondsOf[unit];
    return seconds === undefined ? t.failure(u, c) : t.success({ quota: Number(quota), seconds });
  },
  ({ quota, seconds }) => `${quota}/${seconds}s`,
);

/** Where a client stands with its limit. */
type RateLimitState = Readonly<{
  isExceeded: boolean;
  /** How many requests are left. */
  remaining: number;
  /** Seconds until all requests of the policy are there again. */
  resetSeconds: number;
}>;

/** Counts requests by key: a credential, or an address. */
export type RateLimit = Readonly<{
  policy: RateLimitPolicy;
  take: (key: string) => RateLimitState;
}>;

type Window = { readonly endsAt: number; taken: number };

/**
 * How many keys are counted at a time. Every text that is sent as a credential is a key, so that a client can
 * make up as many as it likes; each takes about 200 bytes.
 */
const defaultMaxKeys = 100_000;

/**
 * A limit that is counted in memory, in windows that begin with the first request of a key. Beyond `maxKeys`,
 * the key whose window is the oldest is forgotten. `elapsed`: a monotonic clock in milliseconds.
 */
export const rateLimit = (policy: RateLimitPolicy, elapsed: Clock, maxKeys = defaultMaxKeys): RateLimit => {
  // All windows are equally long: the one that ends first is the one that was added first.
  const windows = new Map<string, Window>();
  const forgetOld = (now: number): void => {
    for (const [key, { endsAt }] of windows) {
      if (endsAt > now && windows.size < maxKeys) return;
      windows.delete(key);
    }
  };
  const windowOf = (key: string, now: number): Window => {
    const known = windows.get(key);
    if (known !== undefined && known.endsAt > now) return known;
    windows.delete(key);
    forgetOld(now);
    const begun: Window = { endsAt: now + policy.seconds * 1000, taken: 0 };
    windows.set(key, begun);
    return begun;
  };
  return {
    policy,
    take: (key) => {
      const now = elapsed();
      const window = windowOf(key, now);
      window.taken += 1;
      return {
        isExceeded: window.taken > policy.quota,
        remaining: Math.max(0, policy.quota - window.taken),
        // Fractions of milliseconds add up inexactly, which must not make a window longer than it is.
        resetSeconds: Math.min(policy.seconds, Math.max(1, Math.ceil((window.endsAt - now) / 1000))),
      };
    },
  };
};

/**
 * The fields `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers): the quota `q` in a
 * window of `w` seconds; what remains, `r`, and the seconds `t` until the quota is whole again.
 */
export const rateLimitHeaders = (
  { quota, seconds }: RateLimitPolicy,
  { remaining, resetSeconds }: RateLimitState,
): Readonly<Record<string, string>> => ({
  'RateLimit-Policy': `"default";q=${quota};w=${seconds}`,
  RateLimit: `"default";r=${remaining};t=${resetSeconds}`,
});
