import type { Context, Middleware } from 'koa';
import type { Clock } from '../common/clock.js';
import { isAdminPath } from './admin/admin-guard.js';
import type { NoteRequest } from './operations/note-requests.js';
import { clientGone } from './operations/request.js';
import { isQuiet } from './pages/explorer-changes.js';

/** The status that a request has been answered with. */
export const statusOf = ({ res }: Context): number =>
  res.headersSent || !res.destroyed ? res.statusCode : clientGone;

/**
 * Adds what is no operation to the journal, except for the controls, which would fill it by being read, and
 * for pages that wait for a change.
 */
export const noteOthers = (note: NoteRequest<Context>, elapsed: Clock): Middleware =>
  async function noteOthers(ctx, next) {
    const started = elapsed();
    await next();
    if (!isAdminPath(ctx.path) && !isQuiet(ctx)) note(ctx, started);
  };
