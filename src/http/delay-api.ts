import { setTimeout } from 'node:timers/promises';
import type { Context, Middleware } from 'koa';

/**
 * Delays a request to the API by so many milliseconds, to simulate a slow network, then goes on with it.
 * Stops waiting when the client is gone.
 */
export const afterDelay = async (
  ctx: Context,
  milliseconds: number,
  next: () => Promise<void>,
): Promise<void> => {
  const gone = new AbortController();
  ctx.res.once('close', () => gone.abort());
  try {
    await setTimeout(milliseconds, undefined, { signal: gone.signal });
  } catch {
    return;
  }
  return next();
};

/** Delays what is below `/api/` but no operation. */
export const delayApi = (delay: () => number): Middleware =>
  function delayApi(ctx, next) {
    const milliseconds = delay();
    return milliseconds > 0 && ctx.path.startsWith('/api/') ? afterDelay(ctx, milliseconds, next) : next();
  };
