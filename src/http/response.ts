import type * as t from 'io-ts';
import type { Context } from 'koa';
import type { Html } from '../pages/html.js';
import type { explorerPath } from '../pages/paths.js';
import { inPieces, pieceLength } from './body-in-pieces.js';
import type { LocalPath } from './local-path.js';
import type { Rendered } from './operations/rendered.js';
import { clearSessionCookie, setSessionCookie } from './session-cookie.js';

/** A response as a value. JSON is only sent after a codec has validated it. */
export type OutgoingResponse = Readonly<{
  status: number;
  headers?: Readonly<Record<string, string>>;
  body?: Rendered<t.Mixed> | Html;
  /** Where to send the browser, with status 303. */
  redirectTo?: string;
  /** The session value to set as the cookie; null clears the cookie. */
  session?: string | null;
}>;

/** How many characters of a body are written at once. Most bodies are shorter. */
const maxPiece = 4 * pieceLength;

/**
 * Writes a response to Koa's context. Only assets and conditional requests (304) set a body or a status
 * elsewhere.
 */
export const write = (
  ctx: Context,
  { status, headers = {}, body, redirectTo, session }: OutgoingResponse,
): void => {
  if (redirectTo !== undefined) ctx.redirect(redirectTo);
  ctx.status = status;
  ctx.set(headers);
  if (typeof session === 'string') setSessionCookie(ctx, session);
  if (session === null) {
    clearSessionCookie(ctx);
    // Otherwise the browser may show pages and data of the account again when its user goes back.
    ctx.set('Clear-Site-Data', '"cache"');
  }
  if (body === undefined) return;
  ctx.type = 'json' in body ? 'application/json' : 'text/html; charset=utf-8';
  const text = 'json' in body ? body.json : body.markup;
  if (text.length <= maxPiece) ctx.body = text;
  else {
    ctx.body = inPieces(text);
    ctx.length = Buffer.byteLength(text);
  }
};

/** Turns a handler that returns its response into Koa middleware. */
export const respond =
  <C extends Context>(handler: (ctx: C) => Promise<OutgoingResponse>) =>
  async (ctx: C): Promise<void> =>
    write(ctx, await handler(ctx));

type RedirectPath =
  | LocalPath
  | '/'
  | typeof explorerPath
  | '/login'
  | '/login?account=deleted'
  | `/login?next=${string}`
  | '/settings/account?password=changed'
  | '/settings/api-tokens';

/** Redirects the browser after a form was posted. */
export const redirect = (path: RedirectPath): OutgoingResponse => ({
  status: 303,
  redirectTo: path,
});
