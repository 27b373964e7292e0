import { setMaxListeners } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type * as t from 'io-ts';
import type { Context, Middleware } from 'koa';
import type { Html } from '../web/html.js';
import type { explorerPath, explorerPaths } from '../web/paths.js';
import type { Simulation } from '../simulation/simulation.js';
import { reset } from './connections.js';
import type { Rendered } from '../protocol/rendered.js';
import type { Sent } from '../protocol/response.js';
import type { LocalPath } from '../service/routes.js';
import type { SimulatedBody } from '../protocol/simulated-body.js';
import { setSessionCookie } from '../web/signed-in-user.js';

/** A response as a value. JSON is only sent after a codec has validated it, or because it is simulated. */
export type OutgoingResponse = Readonly<{
  status: number;
  headers?: Readonly<Record<string, string>>;
  body?: Rendered<t.Mixed> | Html | SimulatedBody;
  /** Where to send the browser, with status 303. */
  redirectTo?: string;
  /** The session value to set as the cookie; null clears the cookie. */
  session?: string | null;
}>;

/** Writes a response to Koa's context. Assets and 304 responses are written elsewhere. */
export const write = (
  ctx: Context,
  { status, headers = {}, body, redirectTo, session }: OutgoingResponse,
): void => {
  if (redirectTo !== undefined) ctx.redirect(redirectTo);
  ctx.status = status;
  ctx.set(headers);
  if (session !== undefined) setSessionCookie(ctx, session);
  // Otherwise the browser may show pages and data of the account again when its user goes back.
  if (session === null) ctx.set('Clear-Site-Data', '"cache"');
  if (body === undefined) return;
  if ('text' in body) {
    if (ctx.response.type === '') ctx.type = body.type;
    ctx.body = body.text;
    return;
  }
  ctx.type = 'json' in body ? 'application/json' : 'text/html; charset=utf-8';
  ctx.body = 'json' in body ? body.json : body.markup;
};

/** Turns a handler that returns its response into Koa middleware. */
export const respond =
  <C extends Context>(handler: (ctx: C) => Promise<OutgoingResponse>) =>
  async (ctx: C): Promise<void> =>
    write(ctx, await handler(ctx));

/** Where a browser is sent: a path that is known to be of this server. */
export type RedirectPath =
  | LocalPath
  | '/'
  | typeof explorerPath
  | typeof explorerPaths.controls
  | `/login${string}`
  | `/settings/${string}`;

/** Redirects the browser after a form was posted. */
export const redirect = (path: RedirectPath): OutgoingResponse => ({ status: 303, redirectTo: path });

/**
 * Sends the response of an operation to the client of Koa's context, past Koa: with the nine headers set one
 * by one, Koa takes 1.5 times as long for a request, besides the network.
 */
export const send = (ctx: Context, { status, head, content }: Sent): void => {
  // Compressing may have taken until the response had to be ended.
  if (ctx.res.headersSent) return;
  ctx.res.writeHead(status, head);
  ctx.res.end(content);
};

/**
 * Resets the connection before anything is sent: of a response that breaks off later, some proxies would
 * never tell their client. Over TLS, it is closed.
 */
export const drop = (ctx: Context): void => {
  ctx.respond = false;
  reset(ctx.req.socket);
  // Otherwise the journal would take the status that nobody has set for one that was sent.
  ctx.res.destroy();
};

/** Waits for so many milliseconds. False: the client has left before. */
export const wait = async (ctx: Context, milliseconds: number): Promise<boolean> => {
  if (ctx.res.closed) return false;
  const gone = new AbortController();
  ctx.res.once('close', () => gone.abort());
  return setTimeout(milliseconds, true, { signal: gone.signal }).catch(() => false);
};

/** Delays what is below `/api/` but no operation. */
export const delayApi = (delay: () => number): Middleware =>
  async function delayApi(ctx, next) {
    const milliseconds = ctx.path.startsWith('/api/') ? delay() : 0;
    if (milliseconds === 0 || (await wait(ctx, milliseconds))) await next();
  };

/** Sends nothing. The connection is cut at the bound or when the server stops, if the client has not left. */
export const hang = async (
  ctx: Context,
  { maxHang, stopping }: Pick<Simulation, 'maxHang' | 'stopping'>,
): Promise<void> => {
  ctx.respond = false;
  const cut = (): void => void ctx.res.destroy();
  if (stopping.aborted) return cut();
  // One for each request that hangs: no leak that Node would have to warn about.
  setMaxListeners(0, stopping);
  stopping.addEventListener('abort', cut);
  if (await wait(ctx, maxHang)) cut();
  stopping.removeEventListener('abort', cut);
};
