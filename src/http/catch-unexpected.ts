import type { Middleware } from 'koa';
import type { Log } from '../common/log.js';
import type { Unexpected } from './failures.js';
import { logFailure } from './log-failure.js';
import { operationOf } from './operation-of.js';
import { requestLog } from './request-log.js';
import { failureResponse, write } from './response.js';

/** Turns whatever is thrown below into the plain 500; the reason goes to the log only. */
export const catchUnexpected = (log: Log): Middleware =>
  async function catchUnexpected(ctx, next) {
    try {
      await next();
    } catch (cause) {
      const failure: Unexpected = { _tag: 'Unexpected', cause };
      logFailure(requestLog(log, ctx), operationOf(ctx), failure);
      write(ctx, failureResponse(failure));
    }
  };
