import type * as t from 'io-ts';
import { isCurrent, responseHeaders } from './headers.js';
import type { Compress, ContentEncoding, Rendered } from './rendered.js';
import { type ApiRequest, requestIdHeader, requestIdOf } from './request.js';
import type { SimulatedResponse } from './simulated-body.js';

/** A response of an operation: JSON that a codec has validated, and what its head says besides the usual. */
export type JsonResponse = Readonly<{
  status: number;
  headers?: Readonly<Record<string, string>>;
  body: Rendered<t.Mixed>;
}>;

/** What is sent. The head has names and values in turn, as `writeHead` of Node takes them. */
export type Sent = Readonly<{ status: number; head: string[]; content?: Uint8Array }>;

/** A response; nothing while the client waits; a reset connection; nothing, as the client has left. */
export type Outcome = Sent | 'Hang' | 'Drop' | 'Gone';

/** How bodies are compressed. */
export type Compression = Readonly<{
  /** How a body of so many bytes is sent to a client that accepts this; null: as it is. */
  encodingFor: (accepted: string | undefined, length: number) => ContentEncoding | null;
  compress: Compress;
}>;

/**
 * Returns a function that makes of a response what is sent: a 304 if the client has the bytes of a 200. The
 * `ETag` of a compressed body is the weak form of that of the body, because the bytes depend on the version
 * of the library (RFC 9110, section 8.8.1). `compression`: null, if no body is compressed.
 */
export const sentFor = (compression: Compression | null) => {
  const usual = flat(responseHeaders[compression === null ? 'operation' : 'compressedOperation']);
  return (request: ApiRequest, { status, headers, body }: JsonResponse): Sent | Promise<Sent> => {
    const head = [...usual, requestIdHeader, requestIdOf(request)];
    if (headers !== undefined) head.push(...flat(headers));
    if (status !== 200) return whole(status, head, body.bytes);
    const { 'accept-encoding': accepted, 'if-none-match': condition } = request.req.headers;
    const encoding = compression?.encodingFor(accepted, body.bytes.length) ?? null;
    head.push('ETag', encoding === null ? body.etag : `W/${body.etag}`);
    if (condition !== undefined && isCurrent(condition, body.etag)) return { status: 304, head };
    if (compression === null || encoding === null) return whole(status, head, body.bytes);
    const compressed = body.compressed(encoding, compression.compress);
    const inEncoding = (bytes: Uint8Array | null): Sent => {
      if (bytes === null) return whole(status, head, body.bytes);
      head.push('Content-Encoding', encoding);
      return whole(status, head, bytes);
    };
    return compressed instanceof Promise ? compressed.then(inEncoding) : inEncoding(compressed);
  };
};

const jsonType = 'application/json; charset=utf-8';

/** A response with a body of JSON; its head says so. */
const whole = (status: number, head: string[], content: Uint8Array): Sent => {
  head.push('Content-Type', jsonType, 'Content-Length', String(content.length));
  return { status, head, content };
};

/** How a response can be broken on its way. */
export type Breakage = 'truncate' | 'malformed';

/**
 * What is sent of a response on purpose, as it is or broken: the only place that sends what no codec has
 * accepted. It is sent without an `ETag`, so that no client keeps it. `how`: null, as it is.
 */
export const sentOnPurpose = (
  request: ApiRequest,
  { status, headers = {}, body }: JsonResponse | SimulatedResponse,
  how: Breakage | null,
): Sent => {
  const text = 'text' in body ? body.text : body.json;
  // No JSON goes on after its end.
  const bytes = new TextEncoder().encode(how === 'malformed' ? `${text}}` : text);
  const content = how === 'truncate' ? bytes.subarray(0, Math.floor(bytes.length / 2)) : bytes;
  const head = Object.entries({
    ...responseHeaders.operation,
    [requestIdHeader]: requestIdOf(request),
    'Content-Type': 'text' in body ? body.type : jsonType,
    ...headers,
    'Content-Length': String(content.length),
  });
  // Headers of one's own replace the usual ones, whatever their letter case.
  const byName = new Map(head.map(([name, value]) => [name.toLowerCase(), [name, value]]));
  return { status, head: Array.from(byName.values()).flat(), content };
};

/** A response with more headers; they replace those of the same name. */
export const withHeaders = <R extends JsonResponse | SimulatedResponse>(
  response: R,
  headers: Readonly<Record<string, string>>,
): R => ({ ...response, headers: { ...response.headers, ...headers } });

/** Headers as a list of names and values in turn. */
export const flat = (headers: Readonly<Record<string, string>>): string[] => Object.entries(headers).flat();
