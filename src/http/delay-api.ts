import { setTimeout } from 'node:timers/promises';
import type { Middleware } from 'koa';

/**
 * Holds every request of the API back for as many milliseconds as `delay` says at that moment, to show slow networks. Nobody
 * waits for a client that has gone.
 */
export const delayApi = (delay: () => number): Middleware =>
  async function delayApi(ctx, next) {
    const milliseconds = delay();
    if (milliseconds > 0 && ctx.path.startsWith('/api/')) {
      const gone = new AbortController();
      ctx.res.once('close', () => gone.abort());
      try {
        await setTimeout(milliseconds, undefined, { signal: gone.signal });
      } catch {
        return;
      }
    }
    return next();
  };
