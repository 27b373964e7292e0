import { setTimeout } from 'node:timers/promises';
import type { Middleware } from 'koa';

/** Holds every request of the API back for as many milliseconds as `delay` says at that moment, to show slow networks. */
export const delayApi = (delay: () => number): Middleware =>
  async function delayApi(ctx, next) {
    const milliseconds = delay();
    if (milliseconds > 0 && ctx.path.startsWith('/api/')) await setTimeout(milliseconds);
    return next();
  };
