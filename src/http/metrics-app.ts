import Koa from 'koa';
import type { Log } from '../common/log.js';
import { operationOf } from './access-log.js';
import { catchUnexpected } from './catch-unexpected.js';
import type { IsAllowedHost } from './guard.js';
import { failureResponse, unexpectedFailures } from './operations/failures.js';
import { identify } from './operations/request.js';
import { write } from './response.js';
import { showRequestId } from './show-request-id.js';

/** The metrics as text, and the media type of that text. */
export type Exposition = Readonly<{ contentType: string; text: string }>;

/**
 * Answers `GET /metrics` and nothing else, on a port of its own, because metrics are not for everyone, nor
 * for a page that has given its own name the address of this machine (DNS rebinding).
 */
export const metricsApp = (
  expose: () => Promise<Exposition>,
  isAllowedHost: IsAllowedHost,
  log: Log,
): Koa => {
  const app = new Koa();
  app.use((ctx, next) => {
    identify(ctx);
    return next();
  });
  app.use(catchUnexpected(unexpectedFailures(log, operationOf)));
  app.use(showRequestId);
  app.use(async (ctx) => {
    if (!isAllowedHost(ctx.host)) return write(ctx, failureResponse({ _tag: 'HostRefused', host: ctx.host }));
    if (ctx.path !== '/metrics') return write(ctx, failureResponse({ _tag: 'NotFound' }));
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      return write(ctx, {
        ...failureResponse({ _tag: 'MethodNotAllowed' }),
        headers: { Allow: 'GET, HEAD' },
      });
    }
    const { contentType, text } = await expose();
    ctx.set('Content-Type', contentType);
    ctx.set('Cache-Control', 'no-store');
    ctx.body = text;
  });
  app.on('error', (cause: unknown) => log('warn', 'metrics could not be sent', { cause: String(cause) }));
  return app;
};
