import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type * as t from 'io-ts';
import { hashPassword } from '../accounts/hash-password.js';
import { formatProblem, problemsOf } from '../codecs/problem.js';
import { millisecondsOf } from '../codecs/timestamp.js';
import type { Clock } from '../common/clock.js';
import { openFixtures } from '../server/fixture-backend.js';
import { type StartError, startServer } from '../server/start-server.js';
import { apiFetch } from './api-fetch.js';
import { failingStorage, StorageState } from './failing-storage.js';
import { loadFixtures } from './load-fixtures.js';
import { MomentOrDate, Options, type TriageApiOptions } from './options.js';
import { type Tenant, tenantsWithCredentials } from './tenant.js';
import type { TriageApi } from './triage-api.js';
import { TriageApiError } from './triage-api-error.js';

/**
 * Starts a server of the API v1 and its web flows in this process, on a free port of 127.0.0.1. Servers share
 * nothing. Rejects with a `TriageApiError` that lists all problems of the options and the fixtures: test
 * runners expect rejections, so errors are not returned as values here.
 */
export const startTriageApi = async (options: TriageApiOptions = {}): Promise<TriageApi> => {
  const { now } = decodeOrThrow('options', Options, options);
  let frozenAt = now;
  let storageState: StorageState = 'fine';
  const started = await start(options, {
    clock: () => (frozenAt === undefined ? Date.now() : millisecondsOf(frozenAt)),
    storageState: () => storageState,
  });
  const { url, tenants, stop } = rightOrThrow(started);
  const tenant: TriageApi['tenant'] = (name) => {
    const found = tenants.find((each) => each.name === name);
    const known = tenants.map((each) => each.name).join(', ');
    return rightOrThrow(
      E.fromNullable([`tenant: expected one of ${known}, got ${JSON.stringify(name)}`])(found),
    );
  };
  const first = tenants[0]?.name ?? '';
  const { session, token } = tenant(first);
  let stopped: Promise<void> | undefined;
  const stopOnce = (): Promise<void> => {
    stopped ??= stop();
    return stopped;
  };
  return {
    url,
    session,
    token,
    tenants,
    tenant,
    fetch: apiFetch({ baseUrl: url, first, sessionOf: (name) => tenant(name).session }),
    setNow: (moment) => {
      frozenAt = decodeOrThrow('setNow', MomentOrDate, moment);
    },
    setStorage: (state) => {
      storageState = decodeOrThrow('setStorage', StorageState, state);
    },
    stop: stopOnce,
    [Symbol.asyncDispose]: stopOnce,
  };
};

/** What a test can change while the server runs. */
type Controls = Readonly<{ clock: Clock; storageState: () => StorageState }>;

type Started = Readonly<{ url: string; tenants: readonly Tenant[]; stop: () => Promise<void> }>;

/** How long `stop` waits for responses that are almost sent, in milliseconds. */
const gracePeriod = 50;

/** The cheapest parameters of scrypt: tests need no protection from guessing. */
const hashCheaply = (password: string) => hashPassword(password, { N: 2, r: 1, p: 1 });

/** A limit that no test reaches. */
const unlimited = 1_000_000;

/** Starts the server. `left`: one line for each problem. */
const start = async (
  options: TriageApiOptions,
  { clock, storageState }: Controls,
): Promise<E.Either<readonly string[], Started>> => {
  const { strict = true, delay = 0, port = 0, log = () => {}, onRequest = () => {} } = options;
  const fixtures = await loadFixtures(options);
  if (E.isLeft(fixtures)) return fixtures;
  const opened = await openFixtures(
    {
      read: TE.fromEither(fixtures),
      withSamples: true,
      showPasswords: true,
      arePublished: false,
      state: undefined,
      maxSignUps: unlimited,
    },
    { clock, log, hashPassword: hashCheaply },
  );
  if (E.isLeft(opened)) return opened;
  const { samples, ...backend } = opened.right;
  const userIds = fixtures.right.map(({ dataset }) => dataset.user.id);
  const tenants = await tenantsWithCredentials({ storage: backend.storage, clock }, userIds, samples)();
  if (E.isLeft(tenants)) {
    await backend.close();
    return E.left([tenants.left]);
  }
  const server = await startServer({
    ...backend,
    storage: failingStorage(backend.storage, storageState),
    clock,
    elapsed: () => performance.now(),
    log,
    logAccess: ({ method, url, status, milliseconds }) => onRequest({ method, url, status, milliseconds }),
    strict,
    delay: () => delay,
    port,
    hashPassword: hashCheaply,
    limits: {
      loginsPerAccount: unlimited,
      loginsPerAccountAnywhere: unlimited,
      loginsPerAddress: unlimited,
      allLoginsPerAddress: unlimited,
      signUpsPerAddress: unlimited,
    },
    hashingLimits: { atOnce: unlimited, waiting: unlimited, waitingPerAddress: unlimited },
  })();
  if (E.isLeft(server)) return E.left([formatStartError(server.left, port)]);
  const { url, stop } = server.right;
  return E.right({ url, tenants: tenants.right, stop: () => stop(gracePeriod) });
};

const formatStartError = (error: StartError, port: number): string =>
  error._tag === 'AssetsMissing'
    ? error.reason
    : `cannot listen on ${port === 0 ? 'a free port' : `port ${port}`} of 127.0.0.1: ${error.cause.message}`;

const decodeOrThrow = <A>(what: string, codec: t.Decoder<unknown, A>, value: unknown): A =>
  rightOrThrow(
    pipe(
      codec.decode(value),
      E.mapLeft((errors) =>
        problemsOf(errors).map((problem) => {
          const { path } = problem;
          return `${what}${path.length === 0 ? ':' : ''} ${formatProblem(problem)}`;
        }),
      ),
    ),
  );

const rightOrThrow = <A>(either: E.Either<readonly string[], A>): A => {
  if (E.isLeft(either)) throw new TriageApiError(either.left);
  return either.right;
};
