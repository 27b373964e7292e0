import Koa from 'koa';
import type { AccountDependencies } from '../accounts/dependencies.js';
import { endpoints } from '../api/endpoints.js';
import type { Clock } from '../common/clock.js';
import type { Log } from '../common/log.js';
import type { ServerMode } from '../pages/layout.js';
import type { DemoAccount } from '../pages/start-page.js';
import type { Storage } from '../storage/port.js';
import { type AccessLogEntry, accessLog } from './access-log.js';
import { allowedOrigins, allowOrigins } from './allowed-origins.js';
import { cacheHeaders } from './cache-headers.js';
import { catchUnexpected } from './catch-unexpected.js';
import { delayApi } from './delay-api.js';
import { fallback } from './fallback.js';
import { addHealth } from './health.js';
import { requestTarget } from './request-target.js';
import { respondTo } from './respond-to.js';
import { routerOf } from './router-of.js';
import { securityHeaders } from './security-headers.js';
import type { SwaggerUi } from './web/docs-route.js';
import { addWeb } from './web/web.js';

/** All that the application is a function of. */
export type AppDependencies = Readonly<{
  storage: Storage;
  /** What answers take for the present moment. */
  clock: Clock;
  /** Runs on when `clock` is frozen: how long requests take, in milliseconds from any start. */
  elapsed: Clock;
  log: Log;
  logAccess: (access: AccessLogEntry) => void;
  /** Refuse unknown query parameters instead of ignoring them with a warning. */
  strict: boolean;
  /** Milliseconds by which to hold back the next request of the API. */
  delay: () => number;
  /** What the web flows need besides; it is handed the storage and the clock. */
  accounts: Omit<AccountDependencies, 'storage' | 'clock'>;
  /** Origins whose pages may read answers, besides those of this machine. */
  corsOrigins: readonly string[];
  /** Whether what a proxy says of the client (`X-Forwarded-…`) is to be believed. */
  trustProxy: boolean;
  mode: ServerMode;
  /** Accounts that the start page offers. */
  demoAccounts: () => readonly DemoAccount[];
  /** What the API reference is shown with. */
  swaggerUi: SwaggerUi;
}>;

/** The API and the web flows as a Koa application; nothing listens yet. */
export const createApp = (dependencies: AppDependencies): Koa => {
  const { storage, clock, elapsed, log, logAccess, strict, delay, corsOrigins, trustProxy } = dependencies;
  const isAllowedOrigin = allowedOrigins(corsOrigins);
  const api = endpoints({ storage, clock }, strict);
  const router = routerOf(api, respondTo({ clock, log, strict }));
  addHealth(router, storage, log);
  addWeb(router, {
    accounts: { ...dependencies.accounts, storage, clock },
    storage,
    log,
    isAllowedOrigin,
    mode: dependencies.mode,
    demoAccounts: dependencies.demoAccounts,
    swaggerUi: dependencies.swaggerUi,
  });
  const known = new Set(api.flatMap(({ queryNames }) => queryNames));

  // Of a list of addresses, the last is the one that the proxy saw; those before it are what the client claims.
  const app = new Koa({ proxy: trustProxy, maxIpsCount: 1 });
  app.use(requestTarget);
  app.use(accessLog(logAccess, known, elapsed));
  app.use(securityHeaders());
  app.use(allowOrigins(isAllowedOrigin));
  app.use(cacheHeaders);
  app.use(catchUnexpected(log));
  app.use(delayApi(delay));
  app.use(router.routes());
  app.use(fallback(router));
  app.on('error', (cause: unknown) => log('warn', 'a response could not be sent', { cause: String(cause) }));
  return app;
};
