import * as t from 'io-ts';
import type { RateLimitPolicy } from './rate-limit.js';

const secondsOf: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3600 };

const isPolicy = (u: unknown): u is RateLimitPolicy => {
  const { quota, seconds } = Object(u);
  return Number.isSafeInteger(quota) && quota >= 1 && Number.isSafeInteger(seconds) && seconds >= 1;
};

/** A rate as people write it: so many requests per second, minute or hour. */
export const RateLimitPolicyText = new t.Type<RateLimitPolicy, string, unknown>(
  'a rate such as 10/s, 60/min or 1000/h',
  isPolicy,
  (u, c) => {
    const [, quota, unit = ''] = /^([1-9]\d{0,8})\/(s|min|h)$/.exec(typeof u === 'string' ? u : '') ?? [];
    const seconds = secondsOf[unit];
    return seconds === undefined ? t.failure(u, c) : t.success({ quota: Number(quota), seconds });
  },
  ({ quota, seconds }) => `${quota}/${seconds}s`,
);
