import * as t from 'io-ts';
import { optional } from '../codecs/optional.js';
import { StrictObject } from '../codecs/strict-object.js';
import { StringCodec } from '../codecs/string-codec.js';
import type { FixtureData } from '../completion/fixture-data.js';
import { type CommonOptions, commonOptionProps } from '../in-process/common-options.js';
import type { TimedPatch } from '../in-process/fixture-data.js';

/** The content of one or several fixture files. */
export type GivenFixtures = FixtureData | readonly FixtureData[];

/** The options of `fetchHandler`, all of them optional. */
export type FetchHandlerOptions = CommonOptions &
  Readonly<{
    /**
     * Whose session a request without credentials has: `true` for that of the first tenant, the name of a
     * tenant, or the value of a session in the fixtures. Default: nobody's, and the answer is 401.
     */
    session?: boolean | string;
    /** Timed patches of the data that play on the clock. Default: none. */
    scenario?: readonly TimedPatch[];
    /** What comes before `/api/v1` in the paths of requests, such as `/mock`. Default: nothing. */
    basePath?: string;
  }>;

const basePath = /^(?:\/[^/?#\s]+)*$/;

const BasePath = new StringCodec<string>(
  'a path such as "/mock", without a slash at its end',
  { pattern: basePath },
  (u): u is string => typeof u === 'string' && basePath.test(u),
);

const Session = new t.Type<boolean | string, boolean | string, unknown>(
  'true, false, the name of a tenant or the value of a session',
  (u): u is boolean | string => typeof u === 'boolean' || typeof u === 'string',
  (u, c) => (typeof u === 'boolean' || typeof u === 'string' ? t.success(u) : t.failure(u, c)),
  t.identity,
);

/** Checks `FetchHandlerOptions` for callers without TypeScript. `scenario` is checked when it is loaded. */
export const Options = new StrictObject(
  { ...commonOptionProps, session: optional(Session), basePath: optional(BasePath) },
  'options',
);
