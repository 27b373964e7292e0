import * as t from 'io-ts';
import { optional } from '../codecs/optional.js';
import { StrictObject } from '../codecs/strict-object.js';
import { Timestamp, timestampAt } from '../codecs/timestamp.js';
import { UtcTime } from '../codecs/utc-time.js';
import type { Log } from '../common/log.js';
import type { FixtureData } from './fixture-data.js';

/** A request that has been answered. Of parameters that the API does not know, `url` has the names alone. */
export type AnsweredRequest = Readonly<{ method: string; url: string; status: number; milliseconds: number }>;

/** How to start a server; each may be left out. */
export type TriageApiOptions = Readonly<{
  /**
   * Whose data to serve: a directory of fixture files, or what such files hold, for one tenant or for several. Left out: the
   * fixtures that come with the package.
   */
  fixtures?: string | URL | FixtureData | readonly FixtureData[];
  /** The moment at which the clock stands still, such as `2026-11-20T12:00:00Z`. Left out: it runs. */
  now?: string | Date;
  /** Whether a query parameter that the API does not know is answered 400 (the default), or ignored with a warning. */
  strict?: boolean;
  /** Milliseconds, up to a day, by which to hold back every answer of the API. Left out: 0. */
  delay?: number;
  /** Is told what the server would log. Left out: nobody is. */
  log?: Log;
  /** Is told each request once it is answered. Left out: nobody is. */
  onRequest?: (request: AnsweredRequest) => void;
}>;

/** A moment in words or as a `Date`. */
export const MomentOrDate = new t.Type<Timestamp, string, unknown>(
  `${UtcTime.name}, or a Date`,
  Timestamp.is,
  (u, c) => {
    if (!(u instanceof Date)) return UtcTime.validate(u, c);
    return Number.isNaN(u.getTime()) ? t.failure(u, c) : t.success(timestampAt(u.getTime()));
  },
  t.identity,
);

const day = 24 * 60 * 60 * 1000;

const isDelay = (u: unknown): u is number => typeof u === 'number' && u >= 0 && u <= day;

const Delay = new t.Type<number, number, unknown>(
  `milliseconds from 0 to ${day}`,
  isDelay,
  (u, c) => (isDelay(u) ? t.success(u) : t.failure(u, c)),
  t.identity,
);

/** What `TriageApiOptions` says, for who calls without types. `fixtures` has checks of its own. */
export const Options = new StrictObject(
  {
    fixtures: t.unknown,
    now: optional(MomentOrDate),
    strict: optional(t.boolean),
    delay: optional(Delay),
    log: optional(t.Function),
    onRequest: optional(t.Function),
  },
  'options',
);
