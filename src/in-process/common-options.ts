import * as t from 'io-ts';
import { Count, NumberCodec } from '../codecs/numbers.js';
import { optional } from '../codecs/optional.js';
import { Timestamp, timestampAt } from '../codecs/timestamp.js';
import { UtcTime } from '../codecs/utc-time.js';
import type { Log } from '../common/log.js';
import { maxDelay } from '../simulation/effect.js';
import { RateLimitPolicyText } from '../simulation/rate-limit-policy.js';

/** The options that a server in a test and a handler without a server have in common. */
export type CommonOptions = Readonly<{
  /** Freezes the clock at this moment, such as `2026-11-20T12:00:00Z`. Default: the clock runs. */
  now?: string | Date;
  /** Whether unknown query parameters are answered with 400 (the default) or ignored with a warning. */
  strict?: boolean;
  /** Delays every response of the API by this many milliseconds, up to a day. Default: 0. */
  delay?: number;
  /** What chance depends on in rules with a probability: the same seed gives the same run. Default: 1. */
  seed?: number;
  /** Limits the requests of each credential to the API, such as `60/min`. Default: no limit. */
  rateLimit?: string;
  /** Receives the diagnostics. Default: they are discarded. */
  log?: Log;
}>;

/** A moment, as text or as a `Date`. */
export const MomentOrDate = new t.Type<Timestamp, string, unknown>(
  `${UtcTime.name}, or a Date`,
  Timestamp.is,
  (u, c) => {
    if (!(u instanceof Date)) return UtcTime.validate(u, c);
    return Number.isNaN(u.getTime()) ? t.failure(u, c) : t.success(timestampAt(u.getTime()));
  },
  t.identity,
);

const Delay = new NumberCodec(`milliseconds from 0 to ${maxDelay}`, 'number', Number.isFinite, {
  minimum: 0,
  maximum: maxDelay,
});

/**
 * Checks `CommonOptions`, as properties of a strict object. `scenario` is checked when it is loaded, and
 * fixtures are checked elsewhere as well.
 */
export const commonOptionProps = {
  now: optional(MomentOrDate),
  strict: optional(t.boolean),
  delay: optional(Delay),
  scenario: t.unknown,
  seed: optional(Count),
  rateLimit: optional(RateLimitPolicyText),
  log: optional(t.Function),
};
