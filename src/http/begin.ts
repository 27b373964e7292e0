import type { Context, Middleware } from 'koa';
import { docsPaths, explorerPath } from '../web/paths.js';
import { followRequests, isQuiet, operationOf } from './access-log.js';
import { isAdminPath } from './admin-guard.js';
import type { AppDependencies } from './app.js';
import type { apiOperations } from '../service/service.js';
import { unexpectedFailures } from '../protocol/failures.js';
import { responseHeaders } from '../protocol/headers.js';
import {
  clientGone,
  identify,
  type Notes,
  noteInJournal,
  requestIdHeader,
  requestIdOf,
} from '../protocol/request.js';
import { operationMethods, type Route } from '../service/routes.js';
import type { WebResponses } from '../web/web-responses.js';
import { drop, hang, send, write } from './write-response.js';

type Dependencies = Pick<
  AppDependencies,
  'clock' | 'elapsed' | 'log' | 'logAccess' | 'observeRequests' | 'simulation'
> &
  Readonly<{
    operations: ReturnType<typeof apiOperations<Context>>;
    /** Notes that a request is refused. */
    guard: (ctx: Context) => void;
    /** Adds what pages of other origins need. */
    allowOrigin: Middleware;
    /** Answers a request that failed before it reached a route. */
    errorWithoutUser: WebResponses['errorWithoutUser'];
  }>;

/**
 * Begins every request: it gets an id, is judged by the guard, and is followed by the logs, the metrics and
 * the journal. Requests to operations are answered here; all others get their headers and go on. Whatever is
 * thrown is answered, so that nothing reaches Koa's own handler, which drops all headers.
 */
export const beginRequests = (dependencies: Dependencies): Middleware => {
  const { operations, elapsed, simulation, guard, allowOrigin } = dependencies;
  const follow = followRequests(dependencies);
  const note = simulation && noteInJournal(simulation.journal, dependencies, operationOf);
  const unexpected = unexpectedFailures(dependencies.log, operationOf);

  /** The operation that a request is for; null: none. */
  const routeOf = (ctx: Context): Route | null => {
    const { refused }: Notes = ctx.state;
    const isRead = operationMethods.includes(ctx.method) && refused?._tag !== 'MalformedRequest';
    return isRead ? operations.routeOf(ctx.path) : null;
  };

  const answer = async (ctx: Context, route: Route): Promise<void> => {
    ctx.respond = false;
    const outcome = await operations.answer(ctx, route);
    if (typeof outcome === 'object') send(ctx, outcome);
    else if (outcome === 'Drop') drop(ctx);
    else if (outcome === 'Hang' && simulation !== null) await hang(ctx, simulation);
  };

  const fail = (ctx: Context, cause: unknown): void => {
    unexpected(ctx, cause);
    if (ctx.res.headersSent) return void ctx.res.destroy();
    ctx.respond = true;
    ctx.set({ [requestIdHeader]: requestIdOf(ctx), ...responseHeaders.malformed });
    write(ctx, dependencies.errorWithoutUser(ctx, { _tag: 'Unexpected', cause }));
  };

  return async function beginRequests(ctx, next) {
    let started: number | null = null;
    let isNoted = true;
    try {
      identify(ctx);
      guard(ctx);
      follow(ctx);
      started = elapsed();
      const route = routeOf(ctx);
      if (route === null) {
        ctx.set({ [requestIdHeader]: requestIdOf(ctx), ...responseHeaders[kindOf(ctx.path)] });
      }
      const respond = route === null ? next : () => answer(ctx, route);
      await (ctx.req.headers.origin === undefined ? respond() : allowOrigin(ctx, respond));
      // The controls would fill the journal by being used, and pages that wait for a change by waiting.
      isNoted = route !== null || !(isAdminPath(ctx.path) || isQuiet(ctx));
    } catch (cause) {
      fail(ctx, cause);
    }
    if (note !== null && isNoted && started !== null) note(ctx, started, statusOf(ctx));
  };
};

/** The status that a request has been answered with. */
const statusOf = ({ res }: Context): number =>
  res.headersSent || !res.destroyed ? res.statusCode : clientGone;

/** Which headers the response to what is no operation has. */
const kindOf = (path: string): keyof typeof responseHeaders => {
  if (path.startsWith('/api/')) return 'otherApiPath';
  const runsScript = path === docsPaths.page || path === explorerPath || path.startsWith(`${explorerPath}/`);
  return runsScript ? 'pageWithScript' : 'page';
};

/** Answers what the guard has refused. */
export const refuse = ({ errorWithoutUser }: WebResponses): Middleware =>
  async function refuse(ctx, next) {
    const { refused }: Notes = ctx.state;
    if (refused === undefined) await next();
    else write(ctx, errorWithoutUser(ctx, refused));
  };
