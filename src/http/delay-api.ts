import { setTimeout } from 'node:timers/promises';
import type { Context, Middleware, Next } from 'koa';

/**
 * Delays every request to the API by `delay()` milliseconds, to simulate a slow network. Stops waiting when
 * the client is gone.
 */
export const delayApi = (delay: () => number): Middleware =>
  function delayApi(ctx, next) {
    const milliseconds = delay();
    return milliseconds > 0 && ctx.path.startsWith('/api/') ? afterDelay(ctx, milliseconds, next) : next();
  };

const afterDelay = async (ctx: Context, milliseconds: number, next: Next): Promise<void> => {
  const gone = new AbortController();
  ctx.res.once('close', () => gone.abort());
  try {
    await setTimeout(milliseconds, undefined, { signal: gone.signal });
  } catch {
    return;
  }
  return next();
};
