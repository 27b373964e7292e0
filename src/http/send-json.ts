import { hash } from 'node:crypto';
import type * as t from 'io-ts';
import type { Context } from 'koa';
import type { Rendered } from '../api/rendered.js';
import { apiHeaders, isCurrent } from './cache-headers.js';
import { requestIdHeader, requestIdOf } from './request-id.js';
import { jsonSecurityHeaders } from './security-headers.js';

/** A response of an operation: JSON that a codec has validated, and what its head says besides the usual. */
export type JsonResponse = Readonly<{
  status: number;
  headers?: Readonly<Record<string, string>>;
  body: Rendered<t.Mixed>;
}>;

/** Names and values of headers in turn, as `writeHead` takes them. */
type FlatHeaders = readonly string[];

/**
 * Returns a function that sends the responses of operations. Each 200 has the `ETag` of its bytes, and
 * becomes a 304 if the client has them. The head is written in one go: setting two dozen headers one by one
 * takes longer than all the rest of a request.
 */
export const sendJson = (): ((ctx: Context, response: JsonResponse) => void) => {
  const usual = flat({ ...jsonSecurityHeaders, ...apiHeaders });
  const etagOf = etags();

  const send = (ctx: Context, status: number, head: string[], content?: string | Buffer): void => {
    ctx.res.writeHead(status, head);
    // The response is complete: Koa has nothing to add.
    ctx.respond = false;
    // A text consists of ASCII characters only; this is the encoding that takes the least time.
    if (typeof content === 'string') ctx.res.end(content, 'latin1');
    else ctx.res.end(content);
  };

  return (ctx, { status, headers, body }) => {
    const head = [...usual];
    if (status === 200) {
      const etag = etagOf(body);
      head.push('ETag', etag);
      const condition = ctx.req.headers['if-none-match'];
      if (condition !== undefined && isCurrent(condition, etag)) {
        addOwn(head, ctx, headers);
        return send(ctx, 304, head);
      }
    }
    const { content } = body;
    head.push('Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(content.length));
    addOwn(head, ctx, headers);
    return send(ctx, status, head, content);
  };
};

/** Returns a function that hashes bodies, and remembers what it has made of those that are kept. */
const etags = (): ((body: Rendered<t.Mixed>) => string) => {
  const known = new WeakMap<Rendered<t.Mixed>, string>();
  return (body) => {
    const existing = known.get(body);
    if (existing !== undefined) return existing;
    const { content } = body;
    const etag = `"${hash('sha256', content, 'base64url')}"`;
    if (typeof content !== 'string') known.set(body, etag);
    return etag;
  };
};

/** The head of a response that is sent once, with a body of so many bytes and without an `ETag`. */
export const jsonHead = (ctx: Context, length: number, headers: JsonResponse['headers']): string[] => {
  const head = [...flat({ ...jsonSecurityHeaders, ...apiHeaders })];
  head.push('Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(length));
  addOwn(head, ctx, headers);
  return head;
};

/** Adds the headers that belong to one response. */
const addOwn = (head: string[], ctx: Context, headers: JsonResponse['headers']): void => {
  head.push(requestIdHeader, requestIdOf(ctx));
  if (headers !== undefined) head.push(...flat(headers));
};

const flat = (headers: Readonly<Record<string, string>>): FlatHeaders => Object.entries(headers).flat();
