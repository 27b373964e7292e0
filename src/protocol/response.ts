import type * as t from 'io-ts';
import { sessionLifetime } from '../accounts/sessions-and-tokens.js';
import { sessionCookieName } from '../contract/operations.js';
import { type HeaderKind, isCurrent, responseHeaders } from './headers.js';
import { type Compress, Content, type ContentEncoding, type Rendered } from './rendered.js';
import { type ApiRequest, requestIdHeader, requestIdOf, type ServiceRequest } from './request.js';
import type { SimulatedBody, SimulatedResponse } from './simulated-body.js';

export type Headers = Readonly<Record<string, string>>;

/** A response of an operation: JSON that a codec has validated, and what its head says besides the usual. */
export type JsonResponse = Readonly<{ status: number; headers?: Headers; body: Rendered<t.Mixed> }>;

/** A page. The field makes it another type than every other content. */
export class Page extends Content {
  readonly isPage = true;

  constructor({ markup }: Readonly<{ markup: string }>) {
    super('text/html; charset=utf-8', markup);
  }
}

/** Text that never changes while the program runs: a style sheet, a script, a document. */
export class Asset extends Content {
  /** What browsers are told about keeping it. */
  readonly caching: string;

  constructor(type: string, content: string, caching: string) {
    super(type, content);
    this.caching = caching;
  }
}

/** Browsers need not ask again for five minutes. */
export const forAWhile = 'public, max-age=300';

/** Returns a function that answers with an asset, which is read or made for the first request. */
export const assetAnswer = (type: string, caching: string, read: () => Promise<string>) => {
  let made: Promise<Asset> | undefined;
  return async (): Promise<Reply> => {
    made ??= read().then((content) => new Asset(type, content, caching));
    return { status: 200, body: await made };
  };
};

/** A response as a value. JSON is only sent after a codec has validated it, or because it is simulated. */
export type Reply = Readonly<{
  status: number;
  headers?: Headers;
  body?: Rendered<t.Mixed> | Page | Asset | SimulatedBody;
  /** Where to send the browser, with status 303: a path of this service, below its base path. */
  redirectTo?: string;
  /** The session that the client has from now on; null: none; left out: as before. */
  session?: string | null;
}>;

/** How a body is sent on purpose: slowly, and perhaps not to its end. `hold` counts it as waiting. */
export type Pace = Readonly<{
  bytesPerSecond: number | null;
  isCut: boolean;
  hold: (bytes: number) => () => void;
}>;

/** What is sent. The head has names and values in turn, as `writeHead` of Node takes them. */
export type Sent = Readonly<{
  status: number;
  head: string[];
  content?: Uint8Array;
  /** Left out: as usual, at once. */
  pace?: Pace;
}>;

/** What becomes of a request: a response, a connection that is cut, or nothing, as the client has left. */
export type Outcome = Sent | 'Cut' | 'Gone';

/** How bodies are compressed. */
export type Compression = Readonly<{
  /** How a body of so many bytes is sent to a client that accepts this; null: as it is. */
  encodingFor: (accepted: string | undefined, length: number) => ContentEncoding | null;
  json: Compress;
  asset: Compress;
}>;

/** What the head of a response depends on besides the request. */
export type SendSettings = Readonly<{
  /** Null: no body is compressed. */
  compression: Compression | null;
  /** What comes before the paths of the service: `/mock`, or nothing. */
  basePath: string;
  /** Whether pages of other sites can use a session, over HTTPS. */
  crossSiteCookies: boolean;
}>;

/**
 * Returns a function that makes of the response of an operation what is sent: a 304 if the client has the
 * bytes of a 200. The `ETag` of a compressed body is the weak form of that of the body, because the bytes
 * depend on the version of the library (RFC 9110, section 8.8.1).
 */
export const operationSender = ({ compression }: Pick<SendSettings, 'compression'>) => {
  const usual = flat(responseHeaders[compression === null ? 'operation' : 'compressedOperation']);
  return (request: ApiRequest, { status, headers, body }: JsonResponse): Sent | Promise<Sent> => {
    const head = [...usual, requestIdHeader, requestIdOf(request)];
    const further = request.notes.headers;
    if (further !== undefined) head.push(...flat({ ...further, ...headers }));
    else if (headers !== undefined) head.push(...flat(headers));
    if (status !== 200) return whole(status, head, body);
    const { 'accept-encoding': accepted, 'if-none-match': condition } = request.headers;
    const encoding = compression?.encodingFor(accepted, body.bytes.length) ?? null;
    head.push('ETag', encoding === null ? body.etag : `W/${body.etag}`);
    if (condition !== undefined && isCurrent(condition, body.etag)) return { status: 304, head };
    if (compression === null || encoding === null) return whole(status, head, body);
    const compressed = body.compressed(encoding, compression.json);
    const inEncoding = (bytes: Uint8Array | null): Sent => {
      if (bytes !== null) head.push('Content-Encoding', encoding);
      return whole(status, head, body, bytes ?? body.bytes);
    };
    return compressed instanceof Promise ? compressed.then(inEncoding) : inEncoding(compressed);
  };
};

/** A response with a body; its head says what it is. */
const whole = (status: number, head: string[], { type, bytes }: Content, content = bytes): Sent => {
  head.push('Content-Type', type, 'Content-Length', String(content.length));
  return { status, head, content };
};

/** Returns a function that makes of the reply to any other request what is sent. */
export const replySender = ({ compression, basePath, crossSiteCookies }: SendSettings) => {
  /** The cookie of a session; null clears it. */
  const sessionCookie = ({ isSecure }: ServiceRequest, value: string | null): string => {
    // Only HTTPS makes it possible that pages of other sites use the session.
    const isCrossSite = isSecure && crossSiteCookies;
    return [
      `${sessionCookieName}=${value ?? ''}`,
      `path=${basePath || '/'}`,
      value === null ? 'expires=Thu, 01 Jan 1970 00:00:00 GMT' : `max-age=${sessionLifetime / 1000}`,
      `samesite=${isCrossSite ? 'none' : 'lax'}`,
      ...(isSecure ? ['secure'] : []),
      'httponly',
      // Kept apart for each site whose pages use it: browsers that block the cookies of third parties accept
      // it, and a page of one site gets no session that began on another.
      ...(isCrossSite ? ['partitioned'] : []),
    ].join('; ');
  };

  return async (request: ServiceRequest, reply: Reply, kind: HeaderKind): Promise<Sent> => {
    const { status, body, redirectTo, session } = reply;
    const usual: Headers = responseHeaders[kind];
    const varies = [
      ...(request.notes.readsAccept === true ? ['Accept'] : []),
      ...(body instanceof Asset ? ['Accept-Encoding'] : []),
    ];
    const isWithoutBody = body === undefined && status !== 204 && status !== 304;
    const head = merged(
      { [requestIdHeader]: requestIdOf(request) },
      usual,
      request.notes.headers ?? {},
      varies.length === 0 ? {} : { Vary: [usual.Vary ?? [], varies].flat().join(', ') },
      // Weak, because it is the same for the compressed text.
      body instanceof Asset ? { 'Cache-Control': body.caching, ETag: `W/${body.etag}` } : {},
      redirectTo === undefined ? {} : { Location: redirectTo },
      session === undefined ? {} : { 'Set-Cookie': sessionCookie(request, session) },
      // Otherwise the browser may show pages and data of the account again when its user goes back.
      session === null ? { 'Clear-Site-Data': '"cache"' } : {},
      body === undefined || body instanceof Asset ? {} : { 'Content-Type': body.type },
      reply.headers ?? {},
      isWithoutBody ? { 'Content-Length': '0' } : {},
    );
    if (body === undefined) return { status, head };
    if (!(body instanceof Asset)) return withLength(status, head, body.bytes);
    if (isCurrent(request.headers['if-none-match'] ?? '', body.etag)) return { status: 304, head };
    const accepted = request.headers['accept-encoding'];
    const encoding = compression?.encodingFor(accepted, body.bytes.length) ?? null;
    if (compression === null || encoding === null) return whole(status, head, body);
    const compressed = await body.compressed(encoding, compression.asset);
    if (compressed !== null) head.push('Content-Encoding', encoding);
    return whole(status, head, body, compressed ?? body.bytes);
  };
};

const withLength = (status: number, head: string[], content: Uint8Array): Sent => {
  head.push('Content-Length', String(content.length));
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
  // No JSON goes on after its end.
  const bytes = how === 'malformed' ? new TextEncoder().encode(`${body.decoded}}`) : body.bytes;
  const content = how === 'truncate' ? bytes.subarray(0, Math.floor(bytes.length / 2)) : bytes;
  const head = merged(
    responseHeaders.operation,
    { [requestIdHeader]: requestIdOf(request), 'Content-Type': body.type },
    request.notes.headers ?? {},
    headers,
  );
  return withLength(status, head, content);
};

/** A response with more headers; they replace those of the same name. */
export const withHeaders = <R extends Readonly<{ headers?: Headers }>>(response: R, headers: Headers): R => ({
  ...response,
  headers: { ...response.headers, ...headers },
});

/** Headers as a list of names and values in turn. */
const flat = (headers: Headers): string[] => Object.entries(headers).flat();

/** The same of several; a later one replaces those of its name, whatever their letter case. */
const merged = (...several: readonly Headers[]): string[] => {
  const byName = several.flatMap((headers) =>
    Object.entries(headers).map((header) => [header[0].toLowerCase(), header] as const),
  );
  return Array.from(new Map(byName).values()).flat();
};
