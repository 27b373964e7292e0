import type { IncomingMessage, RequestListener } from 'node:http';
import Router from '@koa/router';
import Koa, { type Context, type Middleware } from 'koa';
import type { AccountDependencies, SecurityEvent } from '../accounts/account-flow.js';
import type { DemoAccounts } from '../accounts/demo-rows.js';
import type { Clock } from '../common/clock.js';
import type { ServerMode } from '../web/layout.js';
import { type Followers, operationOf } from './access-log.js';
import { type AdminAccess, isAdminPath, mayControl } from './admin-guard.js';
import { addAdmin, hideControls } from '../controls/control.js';
import { adminRoutes } from '../controls/controls.js';
import { beginRequests, refuse } from './begin.js';
import { compression } from './compression.js';
import { allowedOrigins, allowOrigins } from './cors.js';
import { addressOf, guardRequests, type IsAllowedHost } from './guard.js';
import { addHealth, type HealthDependencies } from '../service/health.js';
import { apiOperations, type OperationDependencies } from '../service/service.js';
import {
  isLocalPath,
  type LocalPath,
  operationMethods,
  otherResponse,
  type Route,
} from '../service/routes.js';
import { offers } from '../web/account-routes.js';
import { addControlsPage } from '../web/controls-routes.js';
import { signedInUser } from '../web/signed-in-user.js';
import { simulatePages } from '../web/simulate-pages.js';
import { addWeb, visitorOf, type WebDependencies } from '../web/web.js';
import { type WebResponses, wantsErrorPage, webResponses } from '../web/web-responses.js';
import { delayApi, redirect, wait, write } from './write-response.js';

/** Everything that the application depends on. */
export type AppDependencies = OperationDependencies &
  HealthDependencies &
  Followers &
  Pick<WebDependencies, 'readAsset' | 'explorer' | 'changes'> &
  Readonly<{
    /** Told of every security event, which is also logged. */
    onSecurityEvent: (event: SecurityEvent) => void;
    /** Whether JSON and assets are compressed for clients that accept it. */
    compression: boolean;
    /** What the web flows need besides the storage and the clock. */
    accounts: Omit<AccountDependencies, 'storage' | 'clock'>;
    /** Origins whose pages may read responses. */
    corsOrigins: readonly string[];
    /** Whether pages of origins on this machine may read responses, too. */
    localhostCors: boolean;
    /** Whether pages of other sites can use a session, over HTTPS. */
    crossSiteCookies: boolean;
    /** Whether requests for a host are answered; behind a trusted proxy, the one that it states. */
    isAllowedHost: IsAllowedHost;
    /** Whether to trust what a proxy says about the client (`X-Forwarded-…`). */
    trustProxy: boolean;
    mode: ServerMode;
    /** Accounts that the pages offer. */
    demoAccounts: () => DemoAccounts;
    /** Whether a request certainly comes from this machine, and the server is there for nobody else. */
    isLocal: (request: IncomingMessage) => boolean;
    /** Who may use the mock controls. */
    adminAccess: AdminAccess;
  }>;

const hangUps = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']);

/** The API and the web flows, on Koa, as a listener of an HTTP server. */
export const createApp = (dependencies: AppDependencies): RequestListener => {
  const { storage, clock, log, simulation, live, crossSiteCookies } = dependencies;
  const isAllowedOrigin = allowedOrigins(dependencies.corsOrigins, dependencies.localhostCors);
  const ownClock = (userId: string): Clock | null => live?.tenants.ownClock(userId) ?? null;
  const clockOf = (userId?: string): number => ((userId === undefined ? null : ownClock(userId)) ?? clock)();
  // Without the controls, nobody is trusted: a proxy that leaves no trace would seem to be on this machine.
  const isOperator = simulation === null ? () => false : mayControl(dependencies.adminAccess);
  const operations = apiOperations<Context>(dependencies, {
    compression: dependencies.compression ? compression : null,
    wait,
    addressOf,
    operationOf,
  });
  // For what is no operation. Paths match to the letter: case and a trailing slash count.
  const router = new Router({ sensitive: true, strict: true });
  addHealth(router, dependencies);
  const site = { mode: dependencies.mode, hasExplorer: dependencies.explorer };
  const userOf = signedInUser({ storage, clock });
  const responses = webResponses(userOf, site, log);
  const visitor = visitorOf(log, dependencies.onSecurityEvent);
  const web = addWeb(router, {
    ...dependencies,
    accounts: { ...dependencies.accounts, storage, clock: clockOf },
    offers: offers(dependencies),
    signedInUser: userOf,
    responses,
    visitor,
    isAllowedOrigin,
    ownClock,
    hasControls: simulation !== null,
    maySeeFiles: isOperator,
  });
  if (simulation !== null) {
    const controls = adminRoutes(simulation, live, storage);
    addAdmin(router, controls);
    if (dependencies.explorer) addControlsPage(web, controls, simulation, live);
    simulation.names.serve({ pages: pagesOf(router), tenants: () => live?.known() ?? [] });
  }

  // Of the addresses in `X-Forwarded-For`, the last is the one that the proxy saw; the client can claim the
  // others.
  const app = new Koa({ proxy: dependencies.trustProxy, maxIpsCount: 1 });
  app.use(
    beginRequests({
      ...dependencies,
      operations,
      guard: guardRequests(dependencies.isAllowedHost, visitor),
      allowOrigin: allowOrigins({ isAllowedOrigin, crossSiteCookies, log }),
      errorWithoutUser: responses.errorWithoutUser,
    }),
  );
  app.use((ctx, next) => {
    ctx.state.crossSiteCookies = crossSiteCookies;
    // Without compression, assets are sent uncompressed, too.
    if (!dependencies.compression) delete ctx.req.headers['accept-encoding'];
    return next();
  });
  app.use(refuse(responses));
  if (simulation !== null) app.use(simulatePages(simulation, responses, userOf));
  app.use(hideControls(isOperator, responses));
  app.use(delayApi(dependencies.delay));
  app.use(router.routes());
  app.use(fallback(router, operations.routeOf, responses));
  app.on('error', (cause: unknown) => {
    // That a client hangs up before it has read a response is no fault; the access log has it.
    if (hangUps.has(Object(cause).code)) return;
    log('warn', 'a response could not be sent', { cause: String(cause) });
  });
  return app.callback();
};

/** Every page, and whatever else is no operation, as rules and the journal name it. */
const pagesOf = ({ stack }: Router): readonly string[] =>
  stack.flatMap(({ path, methods }) =>
    methods
      .filter((method) => method !== 'HEAD' && !isAdminPath(String(path)))
      .map((method) => `${method} ${path}`),
  );

/** Answers what no route took. */
const fallback = (
  router: Router,
  routeOf: (path: string) => Route | null,
  { noRoute }: WebResponses,
): Middleware =>
  async function fallback(ctx) {
    const methods =
      routeOf(ctx.path) === null
        ? Array.from(new Set(router.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods)))
        : operationMethods;
    const page = methods.length === 0 ? withoutSlash(router, ctx) : null;
    if (page !== null) return write(ctx, redirect(page));
    const response = otherResponse(ctx.method, methods);
    if (response.body === undefined) return write(ctx, response);
    const failure = { _tag: methods.length === 0 ? 'NotFound' : 'MethodNotAllowed' } as const;
    const { headers } = response;
    write(ctx, { ...(await noRoute(ctx, failure, methods)), ...(headers && { headers }) });
  };

/** The page that a browser requested with a slash too many at the end; null: none. Others get a 404. */
const withoutSlash = (router: Router, ctx: Context): LocalPath | null => {
  if (!operationMethods.includes(ctx.method) || !ctx.path.endsWith('/') || !wantsErrorPage(ctx)) return null;
  const path = ctx.path.slice(0, -1);
  const page = `${path}${ctx.search}`;
  return router.match(path, ctx.method).route && isLocalPath(page) ? page : null;
};
