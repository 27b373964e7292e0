import type { RouterContext } from '@koa/router';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { hashCredentials } from '../accounts/hash-credentials.js';
import type { Endpoint } from '../api/endpoints.js';
import { unknownParameters } from '../api/unknown-parameters.js';
import type { Clock } from '../common/clock.js';
import type { Log } from '../common/log.js';
import type { HttpError } from './http-error.js';
import { logError } from './log-error.js';
import { challenge, readCredentials } from './read-credentials.js';
import { readInput } from './read-input.js';
import { send, sendError } from './send.js';
import { unknownParametersWarning } from './unknown-parameters-warning.js';

type Dependencies = Readonly<{ clock: Clock; log: Log; strict: boolean }>;

/**
 * The one fold from an endpoint's Either to a response. Without `strict`, an unknown query parameter is ignored with a
 * warning; with it, the endpoint has refused it.
 */
export const respondTo =
  ({ clock, log, strict }: Dependencies) =>
  ({ operation, queryNames, answer }: Endpoint) =>
  async (ctx: RouterContext): Promise<void> => {
    const input = readInput(ctx.params, ctx.querystring);
    const unknown = unknownParameters(queryNames, input);
    if (unknown.length > 0 && !strict) {
      const warning = unknownParametersWarning(unknown);
      ctx.set('X-Triage-Warning', warning);
      log('warn', warning, { operation: operation.id });
    }
    await pipe(
      TE.fromEither(hashCredentials(readCredentials(ctx, operation.accepts), clock())),
      TE.mapLeft((error): HttpError => error),
      TE.flatMap((credentials) => answer(credentials, input)),
      TE.match(
        (error) => {
          logError(log, operation.id, error);
          if (error._tag === 'Unauthorized') ctx.set('WWW-Authenticate', challenge(operation.accepts));
          sendError(ctx, error);
        },
        (body) => send(ctx, 200, body),
      ),
    )();
  };
