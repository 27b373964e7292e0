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

/** A limit that is counted in memory, in windows that begin with the first request of a key. */
export const rateLimit = (policy: RateLimitPolicy): RateLimit => {
  const limiter = new RateLimiterMemory({ points: policy.quota, duration: policy.seconds });
  return {
    policy,
    take: async (key) => {
      try {
        return stateOf(await limiter.consume(key), false);
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
