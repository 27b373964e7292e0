import type { RouterContext } from '@koa/router';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { resolveCaller } from '../accounts/resolve-caller.js';
import type { Endpoint } from '../api/endpoints.js';
import type { Storage } from '../storage/port.js';
import type { Clock } from '../vocabulary/clock.js';
import type { Log } from '../vocabulary/log.js';
import type { HttpError } from './http-error.js';
import { logError } from './log-error.js';
import { challenge, readCredentials } from './read-credentials.js';
import { readInput } from './read-input.js';
import { send, sendError } from './send.js';
import {
  unknownParameterProblems,
  unknownParameters,
  unknownParametersWarning,
} from './unknown-parameters.js';

type Dependencies = Readonly<{ storage: Storage; clock: Clock; log: Log; strict: boolean }>;

/**
 * The one fold from an endpoint's Either to a response. Who asks is settled before what is asked, and that before whether
 * it exists: 401, then 400, then 404. With `strict` an unknown query parameter is refused, else ignored with a warning.
 */
export const respondTo =
  ({ storage, clock, log, strict }: Dependencies) =>
  ({ operation, queryNames, answer }: Endpoint) => {
    const resolve = resolveCaller({ storage, clock });
    return async (ctx: RouterContext): Promise<void> => {
      const input = readInput(ctx.params, ctx.querystring);
      const unknown = unknownParameters(queryNames, input);
      if (unknown.length > 0 && !strict) {
        const warning = unknownParametersWarning(unknown);
        ctx.set('X-Triage-Warning', warning);
        log('warn', warning, { operation: operation.id });
      }
      await pipe(
        resolve(readCredentials(ctx, operation.accepts)),
        TE.mapLeft((error): HttpError => error),
        TE.flatMap((caller) =>
          strict && unknown.length > 0
            ? TE.left<HttpError>({
                _tag: 'InvalidParameters',
                problems: unknownParameterProblems(queryNames, unknown),
              })
            : answer(caller, input),
        ),
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
  };
