import type { RouterContext } from '@koa/router';
import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { hashCredentials } from '../accounts/secrets.js';
import { decodeInput, maxReportedNameLength, maxReportedNames } from '../api/decode-input.js';
import type { ApiError, Handler, InvalidParameters } from '../api/handler.js';
import type { Rendered } from '../api/rendered.js';
import type { Clock } from '../common/clock.js';
import { groupBy } from '../common/group-by.js';
import type { Log } from '../common/log.js';
import type { ErrorBodyCodec } from '../contract/error-bodies.js';
import type { AnyOperation } from '../contract/operations.js';
import type { Caller } from '../records/caller.js';
import type { PresentedCredentials, Storage, StorageError, Unauthorized } from '../storage/port.js';
import { masked } from './access-log.js';
import { type Failure, type StatusOf, statuses, type Unexpected } from './failures.js';
import { logFailure } from './log-failure.js';
import { readCredentials } from './read-credentials.js';
import { requestLog } from './request-log.js';
import { failureResponse, type OutgoingResponse } from './response.js';
import { noteTenant } from './tenant-of.js';

/** The codec of the error body for each status that failures `F` lead to. */
type ErrorResponses<F extends Failure> = Readonly<Record<StatusOf<F>, ErrorBodyCodec>>;

/** How every operation can fail, whatever its handler does. */
type CommonFailure = StorageError | Unauthorized | InvalidParameters | Unexpected;

export type EndpointDependencies = Readonly<{
  storage: Pick<Storage, 'caller'>;
  clock: Clock;
  log: Log;
  /** Refuse unknown query parameters instead of ignoring them with a warning. */
  strict: boolean;
}>;

/** An operation with the function that turns a request into a response. */
export type Endpoint = Readonly<{
  operation: AnyOperation;
  respondTo: (ctx: RouterContext) => Promise<OutgoingResponse>;
}>;

/**
 * Implements an operation. It does not compile unless the handler renders the operation's 200 codec and the
 * operation lists a body for the status of each failure of the handler.
 */
export const endpoint = <Op extends AnyOperation, F extends ApiError>(
  { storage, clock, log, strict }: EndpointDependencies,
  operation: Op & Readonly<{ responses: ErrorResponses<F | CommonFailure> }>,
  handler: Handler<Op, F>,
): Endpoint => {
  const { accepts } = operation;
  const errorBodies: ErrorResponses<F | CommonFailure> = operation.responses;

  const failed = (ctx: RouterContext, failure: F | CommonFailure): OutgoingResponse => {
    logFailure(requestLog(log, ctx), operation.id, failure);
    return failureResponse(failure, errorBody(errorBodies, failure), accepts);
  };
  /** Without valid credentials, the answer is 401: it does not reveal which parameters are valid. */
  const refused = (
    credentials: PresentedCredentials,
    failure: InvalidParameters,
  ): TE.TaskEither<F | CommonFailure, never> =>
    pipe(
      storage.caller(credentials),
      TE.tapIO((caller) => () => credentials.onCaller?.(caller)),
      TE.flatMap(() => TE.left<F | CommonFailure>(failure)),
    );

  return {
    operation,
    respondTo: async (ctx) => {
      const { input, ignored } = decodeInput<Op>(
        operation,
        { path: ctx.params, query: queryOf(ctx.querystring) },
        strict,
      );
      const result = await caught(
        pipe(
          TE.fromEither(hashCredentials(readCredentials(ctx, accepts), clock())),
          TE.mapLeft((failure): F | CommonFailure => failure),
          TE.flatMap((hashed): TE.TaskEither<F | CommonFailure, Rendered<Op['responses'][200]>> => {
            const credentials = { ...hashed, onCaller: (caller: Caller) => noteTenant(ctx, caller) };
            return E.isRight(input)
              ? handler({ credentials, ...input.right })
              : refused(credentials, input.left);
          }),
        ),
      );
      const response: OutgoingResponse = E.isLeft(result)
        ? failed(ctx, result.left)
        : { status: 200, body: result.right };
      if (ignored.length === 0) return response;
      const warning = ignoredWarning(ignored);
      requestLog(log, ctx)('warn', masked(warning), { operation: operation.id });
      return { ...response, headers: { 'X-Triage-Warning': warning, ...response.headers } };
    },
  };
};

/** The body that an operation lists for the status of a failure. */
const errorBody = <F extends Failure>(bodies: ErrorResponses<F>, failure: F): ErrorBodyCodec => {
  const tag: F['_tag'] = failure._tag;
  const status: StatusOf<F> = statuses[tag];
  return bodies[status];
};

/** Runs a task; what it throws becomes a failure as well. */
const caught = async <F, A>(task: TE.TaskEither<F, A>): Promise<E.Either<F | Unexpected, A>> => {
  try {
    return await task();
  } catch (cause) {
    return E.left({ _tag: 'Unexpected', cause });
  }
};

/** All values that a query gives under each name. */
const queryOf = (querystring: string): ReadonlyMap<string, readonly string[]> =>
  new Map(
    Array.from(
      groupBy(Array.from(new URLSearchParams(querystring)), ([name]) => name),
      ([name, pairs]) => [name, pairs.map(([, value]) => value)],
    ),
  );

/**
 * The value of `X-Triage-Warning`. The names are percent-encoded, since a header cannot carry every
 * character.
 */
const ignoredWarning = (names: readonly string[]): string => {
  const shown = names.slice(0, maxReportedNames).map((name) => `"${cut(encodeURIComponent(name))}"`);
  const more = names.length > maxReportedNames ? ` and ${names.length - maxReportedNames} more` : '';
  return `ignored unknown query parameters: ${shown.join(', ')}${more}`;
};

const cut = (name: string): string =>
  name.length > maxReportedNameLength ? `${name.slice(0, maxReportedNameLength)}...` : name;
