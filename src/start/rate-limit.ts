import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import type { Layer } from '../api/call.js';
import { failureResponse } from '../api/failures.js';
import { withHeaders } from '../api/response.js';
import type { Clock } from '../common/clock.js';
import { windowCounter } from '../common/window-counter.js';
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

/** Counts requests by key: a user, or an address. */
export type RateLimit = Readonly<{
  policy: RateLimitPolicy;
  take: (key: string) => RateLimitState;
}>;

/** A limit whose windows begin with the first request of a key. `elapsed`: a monotonic clock in ms. */
export const rateLimit = (policy: RateLimitPolicy, elapsed: Clock, maxKeys?: number): RateLimit => {
  const { count } = windowCounter(policy.seconds, elapsed, maxKeys);
  return {
    policy,
    take: (key) => {
      const { taken, secondsLeft } = count(key);
      const remaining = Math.max(0, policy.quota - taken);
      return { isExceeded: taken > policy.quota, remaining, resetSeconds: secondsLeft };
    },
  };
};

/**
 * The fields `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers): the quota `q` in a
 * window of `w` seconds; what remains, `r`, and the seconds `t` until the quota is whole again.
 */
const rateLimitHeaders = (
  { quota, seconds }: RateLimitPolicy,
  { remaining, resetSeconds }: RateLimitState,
): Readonly<Record<string, string>> => ({
  'RateLimit-Policy': `"default";q=${quota};w=${seconds}`,
  RateLimit: `"default";r=${remaining};t=${resetSeconds}`,
});

/** Counts requests to operations by user, and those without valid credentials by address. */
export const limitRate =
  ({ policy, take }: RateLimit): Layer =>
  (next) =>
  async (call) => {
    const { identity, request, row } = call;
    if (row === null || row.operation === null) return next(call);
    // Made-up credentials are nobody's: what counts is where they come from.
    const caller = await identity.caller();
    const state = take(E.isRight(caller) ? `user ${caller.right.userId}` : request.address);
    const headers = rateLimitHeaders(policy, state);
    if (state.isExceeded) {
      const failure = { _tag: 'RateLimited', retryAfterSeconds: state.resetSeconds } as const;
      return { kind: 'operation', ...withHeaders(failureResponse(failure), headers) };
    }
    const outcome = await next(call);
    return typeof outcome === 'string'
      ? outcome
      : { ...outcome, headers: { ...headers, ...outcome.headers } };
  };
