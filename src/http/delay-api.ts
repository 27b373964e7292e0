import { setTimeout } from 'node:timers/promises';
import type { Middleware } from 'koa';

/**
 * Delays every request to the API by `delay()` milliseconds, to simulate a slow network. Stops waiting when
 * the client is gone.
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
