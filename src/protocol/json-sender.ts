import type * as t from 'io-ts';
import type { Rendered } from '../api/rendered.js';
import type { ApiRequest } from './api-request.js';
import { apiHeaders, etagOf, isCurrent } from './cache-headers.js';
import type { JsonResponse } from './json-response.js';
import { requestIdHeader, requestIdOf } from './request-id.js';
import { jsonSecurityHeaders } from './security-headers.js';

/** Names and values of headers in turn, as `writeHead` of Node takes them. */
export type FlatHeaders = string[];

/** Sends a head and, unless it is left out, a body. A text consists of ASCII characters only. */
export type SendContent<R, A> = (
  request: R,
  status: number,
  head: FlatHeaders,
  content?: string | Uint8Array,
) => A;

/**
 * Returns a function that sends the responses of operations. Each 200 has the `ETag` of its bytes, and
 * becomes a 304 if the client has them. The head is handed over in one go: setting two dozen headers one by
 * one takes longer than all the rest of a request.
 */
export const jsonSender = <R extends ApiRequest, A>(
  send: SendContent<R, A>,
): ((request: R, response: JsonResponse) => A) => {
  const usual = flat({ ...jsonSecurityHeaders, ...apiHeaders });
  const tagOf = etags();
  return (request, { status, headers, body }) => {
    const head = [...usual];
    if (status === 200) {
      const etag = tagOf(body);
      head.push('ETag', etag);
      const condition = request.req.headers['if-none-match'];
      if (condition !== undefined && isCurrent(condition, etag)) {
        addOwn(head, request, headers);
        return send(request, 304, head);
      }
    }
    const { content } = body;
    head.push('Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(content.length));
    addOwn(head, request, headers);
    return send(request, status, head, content);
  };
};

/** Returns a function that hashes bodies, and remembers what it has made of those that are kept. */
const etags = (): ((body: Rendered<t.Mixed>) => string) => {
  const known = new WeakMap<Rendered<t.Mixed>, string>();
  return (body) => {
    const existing = known.get(body);
    if (existing !== undefined) return existing;
    const { content } = body;
    const etag = etagOf(content);
    if (typeof content !== 'string') known.set(body, etag);
    return etag;
  };
};

/** The head of a response that is sent once, with a body of so many bytes and without an `ETag`. */
export const jsonHead = (
  request: ApiRequest,
  length: number,
  headers: JsonResponse['headers'],
): FlatHeaders => {
  const head = flat({ ...jsonSecurityHeaders, ...apiHeaders });
  head.push('Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(length));
  addOwn(head, request, headers);
  return head;
};

/** Adds the headers that belong to one response. */
const addOwn = (head: FlatHeaders, request: ApiRequest, headers: JsonResponse['headers']): void => {
  head.push(requestIdHeader, requestIdOf(request));
  if (headers !== undefined) head.push(...flat(headers));
};

/** Headers as a list. */
export const flat = (headers: Readonly<Record<string, string>>): FlatHeaders =>
  Object.entries(headers).flat();
