import Koa, { type Context } from 'koa';
import type { Log } from '../common/log.js';
import { operationOf } from './access-log.js';
import type { IsAllowedHost } from './guard.js';
import { failureResponse, unexpectedFailures } from './operations/failures.js';
import { responseHeaders } from './operations/headers.js';
import { identify, requestIdHeader, requestIdOf } from './operations/request.js';
import { write } from './response.js';

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
  const unexpected = unexpectedFailures(log, operationOf);
  const answer = async (ctx: Context): Promise<void> => {
    if (!isAllowedHost(ctx.host)) return write(ctx, failureResponse({ _tag: 'HostRefused', host: ctx.host }));
    if (ctx.path !== '/metrics') return write(ctx, failureResponse({ _tag: 'NotFound' }));
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      const headers = { Allow: 'GET, HEAD' };
      return write(ctx, { ...failureResponse({ _tag: 'MethodNotAllowed' }), headers });
    }
    const { contentType, text } = await expose();
    ctx.set('Content-Type', contentType);
    ctx.set('Cache-Control', 'no-store');
    ctx.body = text;
  };
  app.use(async (ctx) => {
    identify(ctx);
    ctx.set(requestIdHeader, requestIdOf(ctx));
    try {
      await answer(ctx);
    } catch (cause) {
      ctx.set(responseHeaders.malformed);
      write(ctx, unexpected(ctx, cause));
    }
  });
  app.on('error', (cause: unknown) => log('warn', 'metrics could not be sent', { cause: String(cause) }));
  return app;
};
