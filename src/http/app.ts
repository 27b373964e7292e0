import Koa from 'koa';
import { endpoints } from '../api/endpoints.js';
import type { Storage } from '../storage/port.js';
import type { Clock } from '../vocabulary/clock.js';
import type { Log } from '../vocabulary/log.js';
import { type Access, accessLog } from './access-log.js';
import { apiHeaders } from './api-headers.js';
import { catchUnexpected } from './catch-unexpected.js';
import { delayApi } from './delay-api.js';
import { fallback } from './fallback.js';
import { addHealth } from './health.js';
import { respondTo } from './respond-to.js';
import { routerOf } from './router-of.js';

/** All that the application is a function of. */
export type AppDependencies = Readonly<{
  storage: Storage;
  /** What answers take for the present moment. */
  clock: Clock;
  /** Runs on when `clock` is frozen: how long requests take, in milliseconds from any start. */
  elapsed: Clock;
  log: Log;
  tellAccess: (access: Access) => void;
  /** Refuse unknown query parameters instead of ignoring them with a warning. */
  strict: boolean;
  /** Milliseconds by which to hold back the next request of the API. */
  delay: () => number;
}>;

/** The API as a Koa application; nothing listens yet. */
export const createApp = ({
  storage,
  clock,
  elapsed,
  log,
  tellAccess,
  strict,
  delay,
}: AppDependencies): Koa => {
  const api = endpoints({ storage, clock });
  const router = routerOf(api, respondTo({ storage, clock, log, strict }));
  addHealth(router, storage, log);
  const known = new Set(api.flatMap(({ queryNames }) => queryNames));

  const app = new Koa();
  app.use(accessLog(tellAccess, known, elapsed));
  app.use(apiHeaders);
  app.use(catchUnexpected(log));
  app.use(delayApi(delay));
  app.use(router.routes());
  app.use(fallback(router));
  app.on('error', (cause: unknown) => log('warn', 'a response could not be sent', { cause: String(cause) }));
  return app;
};
