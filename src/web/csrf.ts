import { finished } from 'node:stream/promises';
import type { Context, Middleware } from 'koa';
import type { Options as BodyParserOptions } from 'koa-bodyparser';
import type { Visitor } from '../accounts/account-flow.js';
import { parseJson } from '../common/json.js';
import { type IsAllowedOrigin, isOrigin } from '../http/cors.js';
import { maxBodyLength } from '../protocol/failures.js';
import { isLocalPath, type LocalPath } from '../service/routes.js';
import { write } from '../http/write-response.js';
import type { WebResponses } from './web-responses.js';

/**
 * Refuses posts that another site sends in the name of its visitor (CSRF), by `Sec-Fetch-Site` and `Origin`.
 * Scripts on pages of an origin that CORS allows may post; a client without both headers is not a browser.
 */
export const refuseCrossSite = (
  isAllowed: IsAllowedOrigin,
  { failure, prefersJson }: WebResponses,
  visitor: (ctx: Context) => Visitor,
): Middleware =>
  async function refuseCrossSite(ctx, next) {
    const site = ctx.get('Sec-Fetch-Site');
    const origin = ctx.get('Origin');
    const here = `${ctx.protocol}://${ctx.host}`;
    const isFromHere = site === '' ? ['', here].includes(origin) : ['same-origin', 'none'].includes(site);
    // No form can post or prefer JSON: this is a script, on a page that CORS allows to read the response.
    if (isFromHere || (isAllowed(origin) && prefersJson(ctx))) return next();
    visitor(ctx).report({ _tag: 'CrossSiteRefused' });
    const advice = adviceOn(origin, here, isAllowed(origin));
    write(ctx, await failure(ctx, { _tag: 'CrossSiteRequest', ...(advice === null ? {} : { advice }) }));
  };

/** What whoever runs both the page and this server can do; null: the post does not say where it is from. */
const adviceOn = (origin: string, here: string, isAllowed: boolean): string | null => {
  if (!isOrigin(origin)) return null;
  if (isAllowed) return `Pages of ${origin} may send JSON to this server, but no forms`;
  const fromProxy =
    origin.replace(/^https:/, 'http:') === here
      ? 'if a proxy in between speaks https, start the server with --trust-proxy, and let the proxy send X-Forwarded-Proto'
      : 'if a proxy in between has replaced the Host header (changeOrigin), let it keep the header, or let it send X-Forwarded-Host and start the server with --trust-proxy';
  return `This one comes from a page of ${origin} and was sent to ${here}. If the page is yours, start the server with --cors-origin ${origin} and send JSON; ${fromProxy}`;
};

/**
 * The page of this server with the link or the form that led here; null: none is known. Over https and on
 * localhost, browsers say whether it has the same origin, also where a proxy has replaced `Host`.
 */
export const localReferrer = (ctx: Context): LocalPath | null => {
  const [, origin, path] = /^(https?:\/\/[^/]+)(\/.*)/.exec(ctx.get('Referer')) ?? [];
  const isFromHere =
    origin === `${ctx.protocol}://${ctx.host}` || ctx.get('Sec-Fetch-Site') === 'same-origin';
  return isFromHere && isLocalPath(path) ? path : null;
};

/** How long the rest of a body that is too long may take to arrive, in milliseconds. */
const restOfBody = 2000;

/**
 * Has the connection closed after the answer: what follows a body that was not read cannot be trusted to be a
 * request. Reads the rest first, because a client that is still writing would never see the answer.
 */
const endConnection = async (ctx: Context): Promise<void> => {
  ctx.set('Connection', 'close');
  ctx.req.resume();
  await finished(ctx.req, { signal: AbortSignal.timeout(restOfBody) }).catch(() => {});
};

/**
 * Parses a body; null, or why not. The parser imports much: it is loaded with the first body. JSON is only
 * text to it, which it would parse however deeply it is nested.
 */
export const parseBody = async (ctx: Context, options: BodyParserOptions) => {
  const { default: bodyParser } = await import('koa-bodyparser');
  try {
    await bodyParser(options)(ctx, async () => {});
    const { body } = ctx.request;
    if (typeof body !== 'string') return null;
    const parsed = body === '' ? {} : parseJson(body);
    if (typeof parsed !== 'object' || parsed === null) return 'MalformedBody';
    ctx.request.body = parsed;
    return null;
  } catch (error) {
    // The errors of the parser are of several classes; what they have in common is a status.
    if (Object(error).status !== 413) return 'MalformedBody';
    await endConnection(ctx);
    return 'BodyTooLong';
  }
};

const posts = {
  enableTypes: ['text', 'form'],
  extendTypes: { text: ['application/json'] },
  textLimit: maxBodyLength,
  formLimit: maxBodyLength,
};

/** Parses the body of a post, JSON or a form. Other types, longer bodies and malformed ones are refused. */
export const readBody = ({ failure }: WebResponses): Middleware =>
  async function readBody(ctx, next) {
    const isOther = ctx.request.length !== 0 && !ctx.is('json', 'urlencoded');
    const _tag = isOther ? 'UnsupportedMediaType' : await parseBody(ctx, posts);
    if (_tag === null) return next();
    write(ctx, await failure(ctx, { _tag }));
  };

/** A field of a form as it was posted; empty if it is missing or no text. */
export const postedText = (ctx: Context, field: string): string => {
  const value: unknown = Object(ctx.request.body)[field];
  return typeof value === 'string' ? value : '';
};
