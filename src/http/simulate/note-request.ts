import type { Context, Middleware } from 'koa';
import type { Clock } from '../../common/clock.js';
import type { Journal } from '../../simulation/journal.js';
import { isAdminPath } from '../admin/admin-paths.js';
import { operationOf } from '../operation-of.js';
import { requestIdOf } from '../request-id.js';
import { tenantOf } from '../tenant-of.js';
import { warningOf } from '../warning-of.js';
import { simulatedOf } from './simulated-note.js';

/** The status of a request whose client has left before the response, as in the access log. */
const clientGone = 499;

/**
 * Adds a request to the journal once its response has been written. `started`: what `elapsed` said before.
 */
export type NoteRequest = (ctx: Context, started: number) => void;

/** The texts are kept as they are, and made presentable when somebody reads the journal. */
export const noteRequests =
  (journal: Journal, clock: Clock, elapsed: Clock): NoteRequest =>
  (ctx, started) => {
    journal.add({
      at: clock(),
      requestId: requestIdOf(ctx),
      method: ctx.method,
      target: ctx.req.url ?? '',
      operation: operationOf(ctx),
      status: ctx.res.headersSent || !ctx.res.destroyed ? ctx.res.statusCode : clientGone,
      milliseconds: Math.round(elapsed() - started),
      tenant: tenantOf(ctx),
      simulated: simulatedOf(ctx),
      warning: warningOf(ctx),
    });
  };

/** Adds what is no operation to the journal, except for the controls, which would fill it by being read. */
export const noteOthers = (note: NoteRequest, elapsed: Clock): Middleware =>
  async function noteOthers(ctx, next) {
    const started = elapsed();
    await next();
    if (!isAdminPath(ctx.path)) note(ctx, started);
  };
