import type { Context } from 'koa';
import { isLocalPath, type LocalPath, localReferrer } from '../local-path.js';

/** The pages of login, logout and sign-up: a login must not lead back to them. */
const isPassing = (path: string): boolean => /^\/(?:login|logout|signup)(?:[?/#]|$)/.test(path);

/** A path of this server to return to after a login; null for everything else. */
export const returnPath = (text: unknown): LocalPath | null =>
  isLocalPath(text) && !isPassing(text) ? text : null;

/**
 * Where whoever opens the login page came from: what the query says, as when a page needed a login, or the
 * page with the link.
 */
export const cameFrom = (ctx: Context): LocalPath | null => {
  const { next } = ctx.query;
  if (next !== undefined) return returnPath(next);
  return returnPath(localReferrer(ctx));
};
