import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import type * as t from 'io-ts';
import { formatProblem, problemsOf } from '../codecs/problem.js';
import { millisecondsOf } from '../codecs/timestamp.js';
import { StorageState } from './failing-storage.js';
import { MomentOrDate, Options, type TriageApiOptions } from './options.js';
import { start } from './start.js';
import type { TriageApi } from './triage-api.js';
import { TriageApiError } from './triage-api-error.js';

/**
 * Starts a server of the API v1 and its web flows in this process, on a free port of 127.0.0.1. It shares nothing with any other.
 * Rejects with a `TriageApiError` that lists all that is wrong with the options or the fixtures: at this edge, an error that
 * nobody looks at has to end the test.
 */
export const startTriageApi = async (options: TriageApiOptions = {}): Promise<TriageApi> => {
  const { now } = valid('options', Options, options);
  let frozenAt = now;
  let storageState: StorageState = 'fine';
  const started = await start(options, {
    clock: () => (frozenAt === undefined ? Date.now() : millisecondsOf(frozenAt)),
    storageState: () => storageState,
  });
  const { port, tenants, stop } = rightOf(started);
  const tenant: TriageApi['tenant'] = (name) => {
    const found = tenants.find((each) => each.name === name);
    const known = tenants.map((each) => each.name).join(', ');
    return rightOf(E.fromNullable([`tenant: expected one of ${known}, got ${JSON.stringify(name)}`])(found));
  };
  const { session, token } = tenant(tenants[0]?.name ?? '');
  let stopped: Promise<void> | undefined;
  const stopOnce = (): Promise<void> => {
    stopped ??= stop();
    return stopped;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    session,
    token,
    tenants,
    tenant,
    setNow: (moment) => {
      frozenAt = valid('setNow', MomentOrDate, moment);
    },
    setStorage: (state) => {
      storageState = valid('setStorage', StorageState, state);
    },
    stop: stopOnce,
    [Symbol.asyncDispose]: stopOnce,
  };
};

const valid = <A>(what: string, codec: t.Decoder<unknown, A>, value: unknown): A =>
  rightOf(
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

const rightOf = <A>(either: E.Either<readonly string[], A>): A => {
  if (E.isLeft(either)) throw new TriageApiError(either.left);
  return either.right;
};
