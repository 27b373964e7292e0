import type { RateLimitPolicy, RateLimitState } from '../../simulation/rate-limit.js';

/** The name of the only policy. */
const name = '"default"';

/**
 * The fields `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers): the quota `q` in a
 * window of `w` seconds; what remains, `r`, and the seconds `t` until the quota is whole again.
 */
export const rateLimitHeaders = (
  { quota, seconds }: RateLimitPolicy,
  { remaining, resetSeconds }: RateLimitState,
): Readonly<Record<string, string>> => ({
  'RateLimit-Policy': `${name};q=${quota};w=${seconds}`,
  RateLimit: `${name};r=${remaining};t=${resetSeconds}`,
});
