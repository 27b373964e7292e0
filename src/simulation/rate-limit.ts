import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** So many requests in so many seconds. */
export type RateLimitPolicy = Readonly<{ quota: number; seconds: number }>;

/** Where a client stands with its limit. */
export type RateLimitState = Readonly<{
  isExceeded: boolean;
  /** How many requests are left. */
  remaining: number;
  /** Seconds until all requests of the policy are there again. */
  resetSeconds: number;
}>;

/** Counts requests by key: a credential, or an address. */
export type RateLimit = Readonly<{
  policy: RateLimitPolicy;
  take: (key: string) => Promise<RateLimitState>;
}>;

/**
 * How many keys are counted at a time. Every text that is sent as a credential is a key, so that a client can
 * make up as many as it likes; each takes about 800 bytes.
 */
const defaultMaxKeys = 100_000;

/**
 * A limit that is counted in memory, in windows that begin with the first request of a key. Beyond `maxKeys`,
 * the key whose window is the oldest is forgotten.
 */
export const rateLimit = (policy: RateLimitPolicy, maxKeys = defaultMaxKeys): RateLimit => {
  const limiter = new RateLimiterMemory({ points: policy.quota, duration: policy.seconds });
  const keys = new Set<string>();
  /** Moves a key whose window begins to the end of those that are counted. */
  const remember = async (key: string): Promise<void> => {
    keys.delete(key);
    keys.add(key);
    const [oldest] = keys;
    if (keys.size <= maxKeys || oldest === undefined) return;
    keys.delete(oldest);
    await limiter.delete(oldest);
  };
  return {
    policy,
    take: async (key) => {
      try {
        const taken = await limiter.consume(key);
        if (taken.isFirstInDuration) await remember(key);
        return stateOf(taken, false);
      } catch (refused) {
        if (refused instanceof RateLimiterRes) return stateOf(refused, true);
        throw refused;
      }
    },
  };
};

const stateOf = ({ remainingPoints, msBeforeNext }: RateLimiterRes, isExceeded: boolean): RateLimitState => ({
  isExceeded,
  remaining: remainingPoints,
  resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
});
