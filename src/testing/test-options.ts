import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import type { Storage } from '../accounts/account-storage.js';
import type { Log } from '../common/log.js';
import { TriageApiError } from '../common/messages.js';
import { oneOf, optional } from '../contract/codecs/combinators.js';
import { decode, formatProblem, type Problem } from '../contract/codecs/problem.js';
import { StrictObject } from '../contract/codecs/strict-object.js';
import { Count, integerFrom, NumberCodec, StringCodec } from '../contract/codecs/text-and-numbers.js';
import { Timestamp, timestampAt, UtcTime } from '../contract/codecs/timestamp.js';
import { type FixtureProblems, formatFileProblem } from '../fixtures/file-problem.js';
import type { FixtureData } from '../fixtures/fixture-format.js';
import type { Fixture } from '../fixtures/read-fixtures.js';
import { knownFixture } from '../simulation/changed-fixtures.js';
import type { Exchange } from '../simulation/exchange.js';
import { maxDelay } from '../simulation/fault-rules.js';
import { tenantNamed } from '../simulation/known-names.js';
import { decodeScenario, type Scenario } from '../simulation/patches.js';
import { BasePath } from '../start/base-path.js';
import { RateLimitPolicyText } from '../start/rate-limit.js';
import type { MadeStorage, StorageFactory } from '../storage-kit/own/index.js';
import { jsonOf } from './sent-values.js';
import type { TimedPatch } from './test-controls.js';

/** The content of one or several fixture files. */
export type GivenFixtures = FixtureData | readonly FixtureData[];

/** What `setFixtures` takes: the same as the option `fixtures`. */
export type FixtureSource = string | URL | GivenFixtures;

/** A request that was answered. `url` has no values of parameters that the API does not know. */
export type AnsweredRequest = Readonly<{ method: string; url: string; status: number; milliseconds: number }>;

/** A moment, as text or as a `Date`. */
export const MomentOrDate = new t.Type<Timestamp, string | Date, unknown>(
  `${UtcTime.name}, or a Date`,
  Timestamp.is,
  (u, c) => {
    if (!(u instanceof Date)) return UtcTime.validate(u, c);
    return Number.isNaN(u.getTime()) ? t.failure(u, c) : t.success(timestampAt(u.getTime()));
  },
  t.identity,
);

/** The states of the storage that a test can ask for, and how its calls then fail. */
export const storageFailures = {
  fine: null,
  unavailable: 'StorageUnavailable',
  broken: 'StorageFailed',
} as const;
export const StorageState = oneOf(storageFailures);

/** A value of which only the type of JavaScript is checked. */
const ofType = <A>(name: string, is: (u: unknown) => u is A): t.Type<A, A, unknown> =>
  new t.Type(name, is, (u, c) => (is(u) ? t.success(u) : t.failure(u, c)), t.identity);

const functionOf = <F>() => ofType('Function', (u): u is F => typeof u === 'function');

const Delay = new NumberCodec(`milliseconds from 0 to ${maxDelay}`, 'number', Number.isFinite, {
  minimum: 0,
  maximum: maxDelay,
});

/** What all doors take. */
const commonOptions = {
  /** Freezes the clock at this moment, such as `2026-11-20T12:00:00Z`. Default: the clock runs. */
  now: optional(MomentOrDate),
  /** Whether unknown query parameters are answered with 400 (the default) or ignored with a warning. */
  strict: optional(t.boolean),
  /** Delays every response of the API by this many milliseconds, up to a day. Default: 0. */
  delay: optional(Delay),
  /** Timed patches of the data that play on the clock. Default: none. */
  scenario: t.unknown,
  /** The most tenants that `createTenant` keeps. Default: 1000. */
  maxTenants: optional(integerFrom(1, 1_000_000)),
  /** The most rows that all of them have together. Default: 500,000. */
  maxTenantRows: optional(integerFrom(1, 1_000_000)),
  /** What chance depends on in rules with a probability: the same seed gives the same run. Default: 1. */
  seed: optional(Count),
  /** Limits the requests of each user to the API, such as `60/min`. Default: no limit. */
  rateLimit: optional(RateLimitPolicyText),
  /** Receives the diagnostics. Default: they are discarded. */
  log: optional(functionOf<Log>()),
  /** Called after each request has been answered. */
  onRequest: optional(functionOf<(request: AnsweredRequest) => void>()),
  /** Called when nothing more is sent for a request, with all that was. */
  onExchange: optional(functionOf<(exchange: Exchange) => void>()),
};
export type ReadOptions = t.TypeOfProps<typeof commonOptions>;

/** What the doors without a server take. */
const handlerOptions = {
  ...commonOptions,
  /**
   * Whose session a request without credentials has: `true` for that of the first tenant, the name of a
   * tenant, or the value of a session in the fixtures; after a login, the session of that. Default: nobody's,
   * and the answer is 401.
   */
  session: optional(
    ofType(
      'true, false, the name of a tenant or the value of a session',
      (u): u is boolean | string => typeof u === 'boolean' || typeof u === 'string',
    ),
  ),
};

/** What comes before all paths, such as `/mock`; requests may leave it out. Default: nothing. */
const basePath = optional(BasePath);

/** What a base URL consists of: an origin, which may be missing, and a path. */
export const baseUrlParts = /^(https?:\/\/[^/?#\s]+)?((?:\/[^/?#\s]+)*)\/?$/;

export const ServerOptions = new StrictObject(
  {
    fixtures: t.unknown,
    storage: t.unknown,
    /** The name of a state that the server begins in, in place of fixtures (docs/states.md). */
    state: optional(t.string),
    ...commonOptions,
    /** The port to listen on. Default: a free one. */
    port: optional(
      new NumberCodec('a port from 0 to 65535', 'integer', Number.isInteger, { minimum: 0, maximum: 65_535 }),
    ),
    basePath,
  },
  'options',
);

export const HandlerOptions = new StrictObject(
  {
    ...handlerOptions,
    basePath,
    /** Whether requests may use the controls and see the accounts. Default: those of `allowedHosts`. */
    controls: optional(t.boolean),
    /** Hosts besides this machine for which they may, such as `.example.com`. Default: none. */
    allowedHosts: optional(t.readonlyArray(t.string)),
  },
  'options',
);

export const MswOptions = new StrictObject(
  {
    ...handlerOptions,
    /**
     * Whether everything below `baseUrl`, which is needed then, is answered: pages, sign-up, API tokens, the
     * mock controls and the API reference, too. Default: false.
     */
    pages: optional(t.boolean),
    /** Where the API is, such as `https://api.example.com` or `/mock`. Default: at the root of any origin. */
    baseUrl: optional(
      new StringCodec('a URL such as "https://api.example.com" or a path such as "/mock"', {
        pattern: baseUrlParts,
      }),
    ),
  },
  'options',
);

/** Options as they are given, all of which may be left out. */
type GivenOptions<P extends t.Props> = { readonly [Name in keyof P]?: t.OutputOf<P[Name]> };

/** What is checked when it is loaded, not with the other options. */
type GivenScenario = Readonly<{ scenario?: readonly TimedPatch[] }>;

/** The options of `startTriageApi`, all of them optional. */
export type TriageApiOptions = GivenOptions<typeof ServerOptions.props> &
  Readonly<{
    /** A directory of fixture files, or the content of such files. Default: those of the package. */
    fixtures?: string | URL | GivenFixtures;
    /**
     * A storage of your own instead of fixtures (docs/storage.md): the storage itself, with `close` if it has
     * to be closed, or a function that makes one. `stop` closes it.
     */
    storage?: Storage | MadeStorage | StorageFactory;
    /** A file with the timed patches, or the patches. */
    scenario?: string | URL | readonly TimedPatch[];
  }>;

/** The options of `fetchHandler`, all of them optional. */
export type FetchHandlerOptions = GivenOptions<typeof HandlerOptions.props> & GivenScenario;

/** The options of `triageHandlers`, all of them optional. */
export type TriageHandlersOptions = GivenOptions<typeof MswOptions.props> & GivenScenario;

/** A line about a problem that begins with the name of the value. */
export const lineAbout =
  (what: string) =>
  (problem: Problem): string =>
    `${what}${problem.path.length === 0 ? ':' : ''} ${formatProblem(problem)}`;

const linesAbout = (what: string) => (problems: readonly Problem[]) => problems.map(lineAbout(what));

/** Decodes a value. `left`: one line for each problem; `what` names the value. */
export const decodeGiven = <A>(
  what: string,
  codec: t.Decoder<unknown, A>,
  value: unknown,
): E.Either<readonly string[], A> => E.mapLeft(linesAbout(what))(decode(codec, value));

/**
 * A value as JSON has it, which shares nothing with the given one: a caller may change what it gave. `left`:
 * why it is not JSON.
 */
export const jsonCopy = (what: string, value: unknown): E.Either<readonly string[], unknown> =>
  E.tryCatch(
    (): unknown => JSON.parse(jsonOf(value)),
    (error) => [
      `${what}: not JSON: ${String(error instanceof Error ? error.message : error).split('\n')[0]}`,
    ],
  );

/** Reads a scenario that is given as a value. `left`: one line for each problem. */
export const readScenario = (value: unknown): E.Either<readonly string[], Scenario> => {
  if (value === undefined) return E.right([]);
  const copy = jsonCopy('scenario', value);
  return E.isLeft(copy) ? copy : E.mapLeft(linesAbout('scenario'))(decodeScenario(copy.right));
};

/** Returns what is right, or throws a `TriageApiError` with what is wrong. */
export const rightOrThrow = <A>(either: E.Either<FixtureProblems, A>): A => {
  if (E.isLeft(either)) throw new TriageApiError(either.left.map(formatFileProblem));
  return either.right;
};

/** Returns what is right, or throws a `TriageApiError` with the problems of what `what` names. */
export const validOrThrow = <A>(what: string, either: E.Either<readonly Problem[], A>): A =>
  rightOrThrow(E.mapLeft(linesAbout(what))(either));

/** All three values, or a `TriageApiError` with the problems of all. */
export const allOrThrow = <A, B, C>(
  a: E.Either<readonly string[], A>,
  b: E.Either<FixtureProblems, B>,
  c: E.Either<FixtureProblems, C>,
): readonly [A, B, C] => {
  if (E.isRight(a) && E.isRight(b) && E.isRight(c)) return [a.right, b.right, c.right];
  const problems = [a, b, c].flatMap((each) => (E.isLeft(each) ? each.left : []));
  throw new TriageApiError(problems.map(formatFileProblem));
};

/** A session that nobody has would be a typing error, answered by 401 all the time. */
export const unknownSession = (
  session: boolean | string | undefined,
  fixtures: readonly Fixture[],
): readonly string[] => {
  if (typeof session !== 'string' || tenantNamed(session, fixtures, knownFixture) !== undefined) return [];
  if (fixtures.some(({ dataset }) => dataset.sessions.some(({ value }) => value === session))) return [];
  const names = fixtures.map(({ name }) => name).join(', ');
  return [
    `options session: expected true, the name of a tenant (${names}) or the value of one of their sessions`,
  ];
};
