import * as t from 'io-ts';
import { Count, NumberCodec } from '../codecs/numbers.js';
import { optional } from '../codecs/optional.js';
import { StrictObject } from '../codecs/strict-object.js';
import { Timestamp, timestampAt } from '../codecs/timestamp.js';
import { UtcTime } from '../codecs/utc-time.js';
import type { Log } from '../common/log.js';
import type { FixtureData } from '../completion/fixture-data.js';
import type { Dataset } from '../records/dataset.js';
import { maxDelay } from '../simulation/effect.js';
import { RateLimitPolicyText } from '../simulation/rate-limit-policy.js';

type EncodedDataset = t.OutputOf<typeof Dataset>;

/** The collections of a fixture file, each with its rows. */
export type FixtureRows = Required<
  Pick<EncodedDataset, 'sessions' | 'apiTokens' | 'repos' | 'scans' | 'fixDrafts' | 'pullRequests'>
>;

/** A patch of one tenant's data, and when it happens. */
export type TimedPatch = Readonly<{
  /** How long after the data was loaded, such as `+30s`. */
  at: string;
  /** The name or the user id of the tenant; may be missing if there is only one. */
  tenant?: string;
  /** A JSON patch (RFC 6902), or a merge patch (RFC 7396). */
  patch: object;
  /** What happens, for whoever reads it. */
  note?: string;
}>;

/**
 * A request and the status it was answered with. `url` contains no values of parameters that the API does not
 * know.
 */
export type AnsweredRequest = Readonly<{ method: string; url: string; status: number; milliseconds: number }>;

/** The options of `startTriageApi`, all of them optional. */
export type TriageApiOptions = Readonly<{
  /**
   * A directory of fixture files, or the content of one or several such files. Default: the fixtures of the
   * package.
   */
  fixtures?: string | URL | FixtureData | readonly FixtureData[];
  /**
   * Freezes the clock of the server at this moment, such as `2026-11-20T12:00:00Z`. Default: the clock runs.
   */
  now?: string | Date;
  /** Whether unknown query parameters are answered with 400 (the default) or ignored with a warning. */
  strict?: boolean;
  /** Delays every response of the API by this many milliseconds, up to a day. Default: 0. */
  delay?: number;
  /** Timed patches of the data that play on the clock of the server, or a file with them. Default: none. */
  scenario?: string | URL | readonly TimedPatch[];
  /** What chance depends on in rules with a probability: the same seed gives the same run. Default: 1. */
  seed?: number;
  /** Limits the requests of each credential to the API, such as `60/min`. Default: no limit. */
  rateLimit?: string;
  /** The port to listen on. Default: a free one. */
  port?: number;
  /** Receives the diagnostics of the server. Default: they are discarded. */
  log?: Log;
  /** Called after each request has been answered. */
  onRequest?: (request: AnsweredRequest) => void;
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

const Port = new NumberCodec('a port from 0 to 65535', 'integer', Number.isInteger, {
  minimum: 0,
  maximum: 65_535,
});

/**
 * Checks `TriageApiOptions` for callers without TypeScript. `fixtures` and `scenario` are checked when they
 * are loaded.
 */
export const Options = new StrictObject(
  {
    fixtures: t.unknown,
    now: optional(MomentOrDate),
    strict: optional(t.boolean),
    delay: optional(Delay),
    scenario: t.unknown,
    seed: optional(Count),
    rateLimit: optional(RateLimitPolicyText),
    port: optional(Port),
    log: optional(t.Function),
    onRequest: optional(t.Function),
  },
  'options',
);
