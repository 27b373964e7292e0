import type { RequestListener } from 'node:http';
import Koa, { type Context } from 'koa';
import { keepWithin } from '../common/kept-values.js';
import { accessLog } from './access-log.js';
import { adminRoutes } from './admin/admin-routes.js';
import { addAdmin, hideControls } from './admin/admin-surface.js';
import { allowedOrigins, allowOrigins } from './allowed-origins.js';
import type { AppDependencies } from './app-dependencies.js';
import { cacheHeaders } from './cache-headers.js';
import { catchUnexpected, unexpectedFailures } from './catch-unexpected.js';
import { delayApi } from './delay-api.js';
import type { Endpoint } from './endpoint.js';
import { endpoints } from './endpoints.js';
import { guardRequests, refuse } from './guard-requests.js';
import { addHealth } from './health.js';
import { warnOfLostSession } from './lost-session.js';
import { operationRoutes } from './operation-routes.js';
import { operationsFirst } from './operations-first.js';
import { identify, showRequestId } from './request-id.js';
import { observeRequests } from './request-observer.js';
import { fallback, pathRouter } from './router.js';
import { securityHeaders } from './security-headers.js';
import { serveOperations } from './serve-operations.js';
import { noteCrossSiteCookies } from './session-cookie.js';
import { emptyLists } from './simulate/empty-lists.js';
import { noteOthers, noteRequests } from './simulate/note-request.js';
import { type SimulateOperations, simulateOperations } from './simulate/simulate-operations.js';
import { simulatePages } from './simulate/simulate-pages.js';
import { visitorOf } from './web/visitor.js';
import { addWeb } from './web/web.js';

const hangUps = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']);

/** What answers requests for which something may be simulated or counted; null: there is no such thing. */
const simulating = ({
  simulation,
  live,
  rateLimit,
  storage,
  clock,
  emptyEndpoints,
}: Pick<AppDependencies, 'simulation' | 'live' | 'rateLimit' | 'storage' | 'clock'> &
  Readonly<{ emptyEndpoints: () => readonly Endpoint[] }>): SimulateOperations | null => {
  if (simulation === null && rateLimit === null) return null;
  let empty: readonly Endpoint[] | undefined;
  return simulateOperations({
    simulation,
    live,
    rateLimit,
    storage,
    clock,
    emptyEndpoint: ({ operation, ...endpoint }) => {
      empty ??= emptyEndpoints();
      return empty.find((each) => each.operation === operation) ?? { operation, ...endpoint };
    },
  });
};

/** The API and the web flows, on Koa, as a listener of an HTTP server. */
export const createApp = (dependencies: AppDependencies): RequestListener => {
  const { storage, clock, elapsed, log, logAccess, strict, delay, trustProxy, isDraining } = dependencies;
  const { simulation } = dependencies;
  const isAllowedOrigin = allowedOrigins(dependencies.corsOrigins, dependencies.localhostCors);
  const { crossSiteCookies } = dependencies;
  const allowCrossOrigin = allowOrigins(
    isAllowedOrigin,
    warnOfLostSession({ isAllowedOrigin, crossSiteCookies, log }),
  );
  const { judge, refusal } = guardRequests({
    isAllowedHost: dependencies.isAllowedHost,
    visitor: visitorOf(log, dependencies.onSecurityEvent),
  });
  const unexpected = unexpectedFailures(log);
  const keep = keepWithin(dependencies.renderCache);
  const routeOf = operationRoutes(endpoints({ storage, clock, log, strict, keep }));
  const router = pathRouter();
  const { hasReloadFailed, readyTimeout } = dependencies;
  addHealth(router, { storage, log, isDraining, hasReloadFailed, readyTimeout });
  addWeb(router, {
    accounts: { ...dependencies.accounts, storage, clock },
    storage,
    log,
    onSecurityEvent: dependencies.onSecurityEvent,
    isAllowedOrigin,
    mode: dependencies.mode,
    demoAccounts: dependencies.demoAccounts,
    swaggerUi: dependencies.swaggerUi,
    hasControls: simulation !== null,
    explorer: dependencies.explorer,
    strict,
    keep,
  });
  if (simulation !== null) addAdmin(router, adminRoutes(simulation, dependencies.live));
  const startLog = logAccess && accessLog(logAccess, elapsed);
  const observe = dependencies.observeRequests && observeRequests(dependencies.observeRequests, elapsed);
  const begin = (ctx: Context): void => {
    identify(ctx);
    judge(ctx);
    startLog?.(ctx);
    observe?.(ctx);
  };
  const note = simulation && noteRequests(simulation.journal, clock, elapsed);
  const simulate = simulating({
    ...dependencies,
    emptyEndpoints: () => endpoints({ storage: emptyLists(storage), clock, log, strict, keep }),
  });
  const serve = serveOperations({
    begin,
    refusal,
    unexpected,
    delay,
    allowOrigins: allowCrossOrigin,
    simulate,
    note,
    elapsed,
  });

  // Of the addresses in `X-Forwarded-For`, the last is the one that the proxy saw; the client can claim the
  // others.
  const app = new Koa({ proxy: trustProxy, maxIpsCount: 1 });
  if (note !== null) app.use(noteOthers(note, elapsed));
  app.use(catchUnexpected(unexpected));
  app.use((ctx, next) => {
    begin(ctx);
    return next();
  });
  if (crossSiteCookies) {
    app.use((ctx, next) => {
      noteCrossSiteCookies(ctx);
      return next();
    });
  }
  app.use(showRequestId);
  app.use(securityHeaders);
  app.use(allowCrossOrigin);
  app.use(cacheHeaders);
  app.use(refuse(refusal));
  app.use(hideControls(simulation && dependencies.adminAccess));
  if (simulation !== null) app.use(simulatePages(simulation, dependencies.mode));
  app.use(delayApi(delay));
  app.use(router.routes());
  app.use(fallback(router, routeOf));
  app.on('error', (cause: unknown) => {
    // That a client hangs up before it has read a response is no fault; the access log has it.
    if (hangUps.has(Object(cause).code)) return;
    log('warn', 'a response could not be sent', { cause: String(cause) });
  });
  return operationsFirst(app, routeOf, serve);
};
