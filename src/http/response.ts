import { setTimeout } from 'node:timers/promises';
import type * as t from 'io-ts';
import type { Context, Middleware } from 'koa';
import type { Html } from '../pages/html.js';
import type { explorerPath } from '../pages/paths.js';
import type { Simulation } from '../simulation/simulation.js';
import { inPieces, pieceLength } from './body-in-pieces.js';
import type { JsonResponse } from './operations/failures.js';
import { jsonHead, type SendContent } from './operations/json-sender.js';
import type { Rendered } from './operations/rendered.js';
import { type Breakage, brokenContent } from './operations/simulate.js';
import { clearSessionCookie, setSessionCookie } from './pages/signed-in-user.js';
import type { LocalPath } from './pages/web-responses.js';

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

/** Sends a response to the client of Koa's context, past Koa. */
export const sendContent: SendContent<Context, void> = (ctx, status, head, content) => {
  // Compressing may have taken until the response had to be ended.
  if (ctx.res.headersSent) return;
  ctx.res.writeHead(status, head);
  // The response is complete: Koa has nothing to add.
  ctx.respond = false;
  // A text consists of ASCII characters only; this is the encoding that takes the least time.
  if (typeof content === 'string') ctx.res.end(content, 'latin1');
  else ctx.res.end(content);
};

/** Sends a response that is broken on purpose. */
export const sendBroken = (ctx: Context, response: JsonResponse, how: Breakage): void => {
  const { sent, announced } = brokenContent(response, how);
  ctx.res.writeHead(response.status, jsonHead(ctx, announced, response.headers));
  ctx.respond = false;
  if (how !== 'drop') {
    ctx.res.end(sent);
    return;
  }
  // The client gets the head, also of a response to HEAD, and the first half before the connection is cut.
  ctx.res.flushHeaders();
  ctx.res.write(sent, () => ctx.res.destroy());
};

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

/** Sends nothing. The connection is cut at the bound or when the server stops, if the client has not left. */
export const hang = async (
  ctx: Context,
  { maxHang, stopping }: Pick<Simulation, 'maxHang' | 'stopping'>,
): Promise<void> => {
  ctx.respond = false;
  const cut = (): void => void ctx.res.destroy();
  if (stopping.aborted) return cut();
  stopping.addEventListener('abort', cut);
  await afterDelay(ctx, maxHang, async () => cut());
  stopping.removeEventListener('abort', cut);
};
