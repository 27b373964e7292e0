import type { RequestListener } from 'node:http';
import Koa, { type Context } from 'koa';
import type { AccountDependencies } from '../accounts/dependencies.js';
import type { SecurityEvent } from '../accounts/security-event.js';
import type { ApiDependencies } from '../api/handler.js';
import { handlers } from '../api/handlers.js';
import type { Clock } from '../common/clock.js';
import { keepWithin } from '../common/kept-values.js';
import type { Log } from '../common/log.js';
import { operations } from '../contract/operations.js';
import type { LiveData } from '../simulation/live-data.js';
import type { RateLimit } from '../simulation/rate-limit.js';
import type { Simulation } from '../simulation/simulation.js';
import type { Storage } from '../storage/port.js';
import type { ServerMode } from '../web-pages/layout.js';
import type { DemoAccount } from '../web-pages/start-page.js';
import { type AccessLogEntry, accessLog } from './access-log.js';
import type { AdminAccess } from './admin/admin-guard.js';
import { adminRoutes } from './admin/admin-routes.js';
import { addAdmin, hideControls } from './admin/admin-surface.js';
import type { IsAllowedHost } from './allowed-hosts.js';
import { allowedOrigins, allowOrigins } from './allowed-origins.js';
import { cacheHeaders } from './cache-headers.js';
import { catchUnexpected, unexpectedFailures } from './catch-unexpected.js';
import { delayApi } from './delay-api.js';
import { type Endpoint, type EndpointDependencies, endpoint } from './endpoint.js';
import { guardRequests, refuse } from './guard-requests.js';
import { addHealth } from './health.js';
import { warnOfLostSession } from './lost-session.js';
import { operationRoutes } from './operation-routes.js';
import { operationsFirst } from './operations-first.js';
import { identify, showRequestId } from './request-id.js';
import { type ObserveRequests, observeRequests } from './request-observer.js';
import { fallback, pathRouter } from './router.js';
import { securityHeaders } from './security-headers.js';
import { serveOperations } from './serve-operations.js';
import { noteCrossSiteCookies } from './session-cookie.js';
import { emptyLists } from './simulate/empty-lists.js';
import { noteOthers, noteRequests } from './simulate/note-request.js';
import { type SimulateOperations, simulateOperations } from './simulate/simulate-operations.js';
import { simulatePages } from './simulate/simulate-pages.js';
import type { SwaggerUi } from './web/docs-route.js';
import { visitorOf } from './web/visitor.js';
import { addWeb } from './web/web.js';

/** Everything that the application depends on. */
export type AppDependencies = Readonly<{
  storage: Storage;
  /** The time that responses are based on; may be frozen. */
  clock: Clock;
  /**
   * A monotonic clock in milliseconds that keeps running when `clock` is frozen: measures how long requests
   * take.
   */
  elapsed: Clock;
  log: Log;
  /** Logs a request; null: requests are not logged. */
  logAccess: ((access: AccessLogEntry) => void) | null;
  /** Refuse unknown query parameters instead of ignoring them with a warning. */
  strict: boolean;
  /** Milliseconds by which to delay the next request to the API. */
  delay: () => number;
  /** How much of what has been rendered is kept, in bytes: about. */
  renderCache: number;
  /** What the web flows need besides the storage and the clock. */
  accounts: Omit<AccountDependencies, 'storage' | 'clock'>;
  /** Origins whose pages may read responses. */
  corsOrigins: readonly string[];
  /** Whether pages of origins on this machine may read responses, too. */
  localhostCors: boolean;
  /** Whether pages of other sites can use a session, over HTTPS. */
  crossSiteCookies: boolean;
  /** Whether requests for a host are answered. With a trusted proxy, it is the host that the proxy states. */
  isAllowedHost: IsAllowedHost;
  /** Whether to trust what a proxy says about the client (`X-Forwarded-…`). */
  trustProxy: boolean;
  mode: ServerMode;
  /** Accounts that the start page offers. */
  demoAccounts: () => readonly DemoAccount[];
  /** The assets of the API reference. */
  swaggerUi: SwaggerUi;
  /** Whether the server is about to stop, so that it should get no more requests. */
  isDraining: () => boolean;
  /** Whether the data that is served is not the one that was to be loaded last. */
  hasReloadFailed: () => boolean;
  /** How long `/readyz` waits for the storage, in milliseconds. */
  readyTimeout: number;
  /** Observes every request; null: nobody does. */
  observeRequests: ObserveRequests | null;
  /** Told of every security event, which is also logged. */
  onSecurityEvent: (event: SecurityEvent) => void;
  /** What clients may have simulated; null: nothing, and there are no mock controls. */
  simulation: Simulation | null;
  /** The clock and the data, for the mock controls to change them; null: they cannot be changed. */
  live: LiveData | null;
  /** Who may use the mock controls. */
  adminAccess: AdminAccess;
  /** Limits the requests to the API of each client; null: there is no limit. */
  rateLimit: RateLimit | null;
}>;

const hangUps = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']);

/** Every operation of the contract with its handler (contract, section 4). */
const endpoints = (dependencies: EndpointDependencies & ApiDependencies): readonly Endpoint[] => {
  const api = handlers(dependencies);
  return [
    endpoint(dependencies, operations.listConnectedRepos, api.listConnectedRepos),
    endpoint(dependencies, operations.listFindings, api.listFindings),
    endpoint(dependencies, operations.getFinding, api.getFinding),
    endpoint(dependencies, operations.listPrs, api.listPrs),
  ];
};

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
