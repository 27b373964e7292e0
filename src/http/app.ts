import type { RequestListener } from 'node:http';
import Koa, { type Context } from 'koa';
import { keepWithin } from '../common/kept-values.js';
import { accessLog } from './access-log.js';
import { mayControl } from './admin/admin-guard.js';
import { adminRoutes } from './admin/admin-routes.js';
import { addAdmin, hideControls } from './admin/admin-surface.js';
import { allowedOrigins, allowOrigins } from './allowed-origins.js';
import type { AppDependencies } from './app-dependencies.js';
import { cacheHeaders } from './cache-headers.js';
import { catchUnexpected } from './catch-unexpected.js';
import { compressBodies } from './compress-bodies.js';
import { delayApi } from './delay-api.js';
import { guardRequests, refuse } from './guard-requests.js';
import { addHealth } from './health.js';
import { koaTransport } from './koa-transport.js';
import { warnOfLostSession } from './lost-session.js';
import { noteOthers, statusOf } from './note-others.js';
import { operationOf } from './operation-of.js';
import { emptyEndpointOf } from './operations/empty-endpoints.js';
import { emptyLists } from './operations/empty-lists.js';
import { endpoints } from './operations/endpoints.js';
import { noteRequests } from './operations/note-requests.js';
import { operationRoutes } from './operations/operation-routes.js';
import { identify } from './operations/request-id.js';
import { serveOperations } from './operations/serve-operations.js';
import { simulateOperations } from './operations/simulate-operations.js';
import { unexpectedFailures } from './operations/unexpected-failures.js';
import { operationsFirst } from './operations-first.js';
import { errorResponses } from './pages/error-responses.js';
import { offers } from './pages/offered-accounts.js';
import { signedInUser } from './pages/signed-in-user.js';
import { simulatePages } from './pages/simulate-pages.js';
import { visitorOf } from './pages/visitor.js';
import { addWeb } from './pages/web.js';
import { webResponses } from './pages/web-responses.js';
import { observeRequests } from './request-observer.js';
import { fallback, pathRouter } from './router.js';
import { securityHeaders } from './security-headers.js';
import { noteCrossSiteCookies } from './session-cookie.js';
import { showRequestId } from './show-request-id.js';

const hangUps = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']);

/** The API and the web flows, on Koa, as a listener of an HTTP server. */
export const createApp = (dependencies: AppDependencies): RequestListener => {
  const { storage, clock, elapsed, log, logAccess, strict, delay, trustProxy, isDraining } = dependencies;
  const { simulation, compression } = dependencies;
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
  const unexpected = unexpectedFailures(log, operationOf);
  const keep = keepWithin(dependencies.renderCache);
  const routeOf = operationRoutes(endpoints({ storage, clock, log, strict, keep }));
  const router = pathRouter();
  const { hasReloadFailed, readyTimeout } = dependencies;
  addHealth(router, { storage, log, isDraining, hasReloadFailed, readyTimeout });
  const site = { mode: dependencies.mode, hasExplorer: dependencies.explorer };
  const userOf = signedInUser({ storage, clock });
  const responses = webResponses(userOf, site, log);
  const errors = errorResponses(responses, site);
  addWeb(router, {
    accounts: { ...dependencies.accounts, storage, clock },
    storage,
    log,
    offers: offers(dependencies),
    signedInUser: userOf,
    responses,
    onSecurityEvent: dependencies.onSecurityEvent,
    isAllowedOrigin,
    readAsset: dependencies.readAsset,
    hasControls: simulation !== null,
    explorer: dependencies.explorer,
    changes: dependencies.changes,
    // Without the controls, nobody is trusted: a proxy that leaves no trace would seem to be on this machine.
    maySeeFiles: simulation === null ? () => false : mayControl(dependencies.adminAccess),
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
  const note = simulation && noteRequests(simulation.journal, { clock, elapsed, operationOf, statusOf });
  const transport = koaTransport(
    async (ctx, next) => {
      await allowCrossOrigin(ctx, next);
    },
    compression ? compressBodies(dependencies.renderCache > 0 ? keep : null) : null,
  );
  const { live, rateLimit } = dependencies;
  const emptyEndpoint = emptyEndpointOf(() =>
    endpoints({ storage: emptyLists(storage), clock, log, strict, keep }),
  );
  const serve = serveOperations({
    transport,
    begin,
    refusal: (ctx) => refusal(ctx)?.response ?? null,
    unexpected,
    delay,
    simulate:
      simulation === null && rateLimit === null
        ? null
        : simulateOperations({ transport, simulation, live, rateLimit, storage, clock, emptyEndpoint }),
    note,
    elapsed,
  });

  // Of the addresses in `X-Forwarded-For`, the last is the one that the proxy saw; the client can claim the
  // others.
  const app = new Koa({ proxy: trustProxy, maxIpsCount: 1 });
  if (note !== null) app.use(noteOthers(note, elapsed));
  app.use(catchUnexpected(unexpected, errors.withoutUser));
  app.use((ctx, next) => {
    begin(ctx);
    // Without compression, assets are sent uncompressed, too.
    if (!compression) delete ctx.req.headers['accept-encoding'];
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
  app.use(refuse(refusal, errors.withoutUser));
  app.use(hideControls(simulation && dependencies.adminAccess, errors.response));
  if (simulation !== null) app.use(simulatePages(simulation, responses));
  app.use(delayApi(delay));
  app.use(router.routes());
  app.use(fallback(router, routeOf, errors.response));
  app.on('error', (cause: unknown) => {
    // That a client hangs up before it has read a response is no fault; the access log has it.
    if (hangUps.has(Object(cause).code)) return;
    log('warn', 'a response could not be sent', { cause: String(cause) });
  });
  return operationsFirst(app, routeOf, serve);
};
