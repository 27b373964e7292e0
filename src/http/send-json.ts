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

/** The bytes of a body, and the heads of the responses that it is sent with. */
type Prepared = Readonly<{ bytes: Buffer; etag: string; head: FlatHeaders; notModified: FlatHeaders }>;

/**
 * Returns a function that sends the responses of operations. Each 200 has the `ETag` of its bytes, and
 * becomes a 304 if the client has them. A body that is sent again is neither converted to bytes nor hashed
 * again, and its head is written in one go: setting two dozen headers one by one takes longer than all the
 * rest of a request.
 */
export const sendJson = (): ((ctx: Context, response: JsonResponse) => void) => {
  const usual = flat({ ...jsonSecurityHeaders, ...apiHeaders });
  const kept = new WeakMap<Rendered<t.Mixed>, Prepared>();

  const prepare = (body: Rendered<t.Mixed>): Prepared => {
    const known = kept.get(body);
    if (known !== undefined) return known;
    const bytes = Buffer.from(body.json);
    const etag = `"${hash('sha256', bytes, 'base64url')}"`;
    const notModified = [...usual, 'ETag', etag];
    const prepared = { bytes, etag, head: [...notModified, ...contentHeaders(bytes)], notModified };
    kept.set(body, prepared);
    return prepared;
  };

  const send = (ctx: Context, status: number, head: string[], bytes?: Buffer): void => {
    ctx.res.writeHead(status, head);
    // The response is complete: Koa has nothing to add.
    ctx.respond = false;
    ctx.res.end(bytes);
  };

  return (ctx, { status, headers, body }) => {
    const own = [requestIdHeader, requestIdOf(ctx), ...(headers === undefined ? [] : flat(headers))];
    if (status !== 200) {
      const bytes = Buffer.from(body.json);
      return send(ctx, status, [...usual, ...contentHeaders(bytes), ...own], bytes);
    }
    const { bytes, etag, head, notModified } = prepare(body);
    const condition = ctx.req.headers['if-none-match'];
    return condition !== undefined && isCurrent(condition, etag)
      ? send(ctx, 304, [...notModified, ...own])
      : send(ctx, 200, [...head, ...own], bytes);
  };
};

const flat = (headers: Readonly<Record<string, string>>): FlatHeaders => Object.entries(headers).flat();

const contentHeaders = (bytes: Buffer): FlatHeaders => [
  'Content-Type',
  'application/json; charset=utf-8',
  'Content-Length',
  String(bytes.length),
];
