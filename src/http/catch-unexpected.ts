import type { Middleware } from 'koa';
import type { Log } from '../common/log.js';
import { logError } from './log-error.js';
import { sendError } from './send.js';

/** Turns whatever is thrown below into the plain 500, with the reason in the log only. */
export const catchUnexpected = (log: Log): Middleware =>
  async function catchUnexpected(ctx, next) {
    try {
      await next();
    } catch (cause) {
      logError(log, `${ctx.method} ${ctx.path}`, { _tag: 'Unexpected', cause });
      sendError(ctx, { _tag: 'Unexpected', cause });
    }
  };
