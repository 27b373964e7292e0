import type { Context, Middleware } from 'koa';
import type { Clock } from '../common/clock.js';
import { afterDelay } from './delay-api.js';
import { noteOperation } from './operation-of.js';
import type { Route } from './operation-routes.js';
import { type JsonResponse, sendJson } from './send-json.js';
import type { NoteRequest } from './simulate/note-request.js';
import type { SimulateOperations } from './simulate/simulate-operations.js';

type Dependencies = Readonly<{
  /** What is done with every request before it is answered. */
  begin: (ctx: Context) => void;
  /** The answer to a request that is refused before anybody looks at it; null: it is not. */
  refusal: (ctx: Context) => JsonResponse | null;
  /** The answer to a request for which an error was thrown, which is logged. */
  unexpected: (ctx: Context, cause: unknown) => JsonResponse;
  /** Milliseconds by which to delay the next request to the API. */
  delay: () => number;
  /** Adds the headers for pages of other origins. */
  allowOrigins: Middleware;
  /** Answers what is simulated, or counted; null: nothing is. */
  simulate: SimulateOperations | null;
  /** Adds requests to the journal; null: there is none. */
  note: NoteRequest | null;
  /** A monotonic clock in milliseconds. */
  elapsed: Clock;
}>;

/** Answers a request to an operation of the API with JSON, whatever happens. */
export type ServeOperation = (ctx: Context, route: Route) => Promise<void>;

export const serveOperations = ({
  begin,
  refusal,
  unexpected,
  delay,
  allowOrigins,
  simulate,
  note,
  elapsed,
}: Dependencies): ServeOperation => {
  const send = sendJson();
  const respond = async (ctx: Context, route: Route): Promise<void> => {
    const { endpoint, params } = route;
    const refused = refusal(ctx);
    if (refused !== null) return send(ctx, refused);
    noteOperation(ctx, endpoint.operation);
    if (simulate?.concerns(ctx) === true) return simulate.respond(ctx, route, send);
    send(ctx, await endpoint.respondTo(ctx, params));
  };
  const respondToOrigin = async (ctx: Context, route: Route): Promise<void> =>
    ctx.req.headers.origin === undefined ? respond(ctx, route) : allowOrigins(ctx, () => respond(ctx, route));

  return async (ctx, route) => {
    const started = note === null ? 0 : elapsed();
    try {
      begin(ctx);
      const milliseconds = delay();
      if (milliseconds > 0) await afterDelay(ctx, milliseconds, () => respondToOrigin(ctx, route));
      else await respondToOrigin(ctx, route);
    } catch (cause) {
      const response = unexpected(ctx, cause);
      if (ctx.res.headersSent) ctx.res.destroy();
      else send(ctx, response);
    }
    note?.(ctx, started);
  };
};
