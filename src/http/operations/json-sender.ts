import type * as t from 'io-ts';
import type { JsonResponse } from './failures.js';
import {
  apiHeaders,
  type ContentEncoding,
  compressedApiHeaders,
  encodingReader,
  etagOf,
  isCurrent,
  jsonSecurityHeaders,
  minCompressedLength,
} from './headers.js';
import type { Rendered } from './rendered.js';
import { type ApiRequest, requestIdHeader, requestIdOf } from './request.js';

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
 * Compresses bodies. `done` is called with the compressed body, or with null if the body has to be sent as it
 * is: at once, or later if compressing takes long.
 */
export type CompressBody<A> = (
  body: Rendered<t.Mixed>,
  encoding: ContentEncoding,
  done: (compressed: Uint8Array | null) => A,
) => A;

/**
 * Returns a function that sends the responses of operations. Each 200 has the `ETag` of its bytes, and
 * becomes a 304 if the client has them. The head is handed over in one go: setting two dozen headers one by
 * one takes longer than all the rest of a request. `compress`: null, if no body is compressed.
 *
 * The `ETag` of a compressed body is the weak form of that of the body: the bytes depend on the version of
 * the library that has compressed it, what they mean does not (RFC 9110, section 8.8.1). Conditions compare
 * weakly, so a client that has one form has the other, too.
 */
export const jsonSender = <R extends ApiRequest, A>(
  send: SendContent<R, A>,
  compress: CompressBody<A> | null = null,
): ((request: R, response: JsonResponse) => A) => {
  const caching = compress === null ? apiHeaders : compressedApiHeaders;
  const usual = flat({ ...jsonSecurityHeaders, ...caching });
  const tagOf = etags();
  const encodingFor = encodingChoice();

  const sendWhole = (
    request: R,
    { status, headers }: JsonResponse,
    head: FlatHeaders,
    content: string | Uint8Array,
  ): A => {
    head.push('Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(content.length));
    addOwn(head, request, headers);
    return send(request, status, head, content);
  };

  return (request, response) => {
    const { status, headers, body } = response;
    const head = [...usual];
    if (status !== 200) return sendWhole(request, response, head, body.content);
    const encoding = compress === null ? null : encodingFor(request.req.headers['accept-encoding'], body);
    const etag = tagOf(body);
    head.push('ETag', encoding === null ? etag : `W/${etag}`);
    const condition = request.req.headers['if-none-match'];
    if (condition !== undefined && isCurrent(condition, etag)) {
      addOwn(head, request, headers);
      return send(request, 304, head);
    }
    if (compress === null || encoding === null) return sendWhole(request, response, head, body.content);
    return compress(body, encoding, (compressed) => {
      if (compressed !== null) head.push('Content-Encoding', encoding);
      return sendWhole(request, response, head, compressed ?? body.content);
    });
  };
};

/** Returns a function that says how a body is compressed for a client; null: it is sent as it is. */
const encodingChoice = (): ((
  accepted: string | undefined,
  body: Rendered<t.Mixed>,
) => ContentEncoding | null) => {
  const read = encodingReader();
  return (accepted, body) => {
    if (accepted === undefined) return null;
    const { encoding, refusesIdentity } = read(accepted);
    return refusesIdentity || body.content.length >= minCompressedLength ? encoding : null;
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
