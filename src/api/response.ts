import type * as t from 'io-ts';
import { sessionCookieName } from '../contract/operations.js';
import { sessionLifetime } from './credentials.js';
import { type HeaderKind, isCurrent, responseHeaders } from './headers.js';
import { type Compress, Content, type ContentEncoding, type Rendered } from './rendered.js';
import { type ApiRequest, requestIdHeader, type ServiceRequest, warningHeader } from './request.js';

export type Headers = Readonly<Record<string, string>>;

/** Headers in place of the usual ones; null leaves one out. */
export type HeaderChanges = Readonly<Record<string, string | null>>;

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

/**
 * What no codec has accepted, and is sent as it is on purpose: without an `ETag`, so that no client keeps it.
 * Only a class that extends this one can make it.
 */
export abstract class OnPurpose extends Content {
  /** Exists in the type only: no other object is taken for one. */
  declare protected readonly isOnPurpose: true;
}

/** Browsers need not ask again for five minutes. */
export const forAWhile = 'public, max-age=300';

/** Returns a function that answers with an asset, which is read or made for the first request. */
export const assetAnswer = (type: string, caching: string, read: () => Promise<string>) => {
  let asset: Promise<Asset> | undefined;
  return async (): Promise<Reply> => {
    asset ??= read().then((content) => new Asset(type, content, caching));
    return { status: 200, body: await asset };
  };
};

/** A response as a value. JSON is only sent after a codec has validated it, or on purpose. */
export type Reply = Readonly<{
  status: number;
  headers?: HeaderChanges;
  body?: Rendered<t.Mixed> | Page | Asset | OnPurpose;
  /** Where to send the browser, with status 303: a path of this service, below its base path. */
  redirectTo?: string;
  /** The session that the client has from now on; null: none; left out: as before. */
  session?: string | null;
}>;

/** How a body is sent on purpose: part by part, and perhaps not to its end. `hold` counts it as waiting. */
export type Pace = Readonly<{
  parts: (content: Uint8Array, signal: AbortSignal) => AsyncGenerator<Uint8Array, void>;
  isCut: boolean;
  hold: (bytes: number) => () => void;
}>;

/** Which headers an answer has that is not of an operation. */
export type PageKind = Exclude<HeaderKind, 'operation' | 'compressedOperation'>;

/** The answer to a request as a value, which layers may change: it is sent last, and once. */
export type Answer = Readonly<{
  /** Left out: it is sent at once. */
  pace?: Pace;
}> &
  (
    | (JsonResponse & Readonly<{ kind: 'operation' }>)
    | Readonly<{ kind: 'onPurpose'; status: number; headers?: HeaderChanges; body: OnPurpose }>
    | (Reply & Readonly<{ kind: PageKind }>)
  );

/**
 * What is sent. The head has names and values in turn, as `writeHead` of Node takes them: with an object, a
 * response takes 30 microseconds longer, a third of a request. `plain`: the content if it is compressed.
 */
export type Sent = Readonly<{ status: number; head: string[]; pace?: Pace }> &
  Readonly<Partial<Record<'content' | 'plain', Uint8Array>>>;

/** An answer, a connection that is cut, at once or after it was held, or nothing, as the client has gone. */
export type Outcome<A = Answer> = A | 'Cut' | 'Held' | 'Gone';

/** How a response ended: whole, or cut in the middle of the body on purpose, or its client had gone. */
export type SendingEnd = 'written' | 'cut' | 'gone';

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
 * The response to a client: with a 304 if it has the body already, else in the encoding that it accepts. A
 * body that is slow or cut on purpose (`pace`) is always sent.
 */
const conditional = (
  { headers: { 'if-none-match': condition, 'accept-encoding': accepted } }: ApiRequest,
  head: string[],
  body: Rendered<t.Mixed> | Asset,
  compression: Compression | null,
  pace?: Pace,
): Sent | Promise<Sent> => {
  const encoding = compression?.encodingFor(accepted, body.bytes.length) ?? null;
  // The bytes of a compressed body depend on the version of the library (RFC 9110, section 8.8.1), and a text
  // has the same `ETag` whether it is compressed or not.
  head.push('ETag', body instanceof Asset || encoding !== null ? `W/${body.etag}` : body.etag);
  const isUnchanged = condition !== undefined && pace === undefined && isCurrent(condition, body.etag);
  if (isUnchanged) return { status: 304, head };
  if (compression === null || encoding === null) return whole(200, head, body);
  const compress = body instanceof Asset ? compression.asset : compression.json;
  return Promise.resolve(body.compressed(encoding, compress)).then((compressed) => {
    if (compressed !== null) head.push('Content-Encoding', encoding);
    return { ...whole(200, head, body, compressed ?? body.bytes), plain: body.bytes };
  });
};

/** A response with a body; its headers say what that is. */
const whole = (status: number, head: string[], { type, bytes }: Content, content = bytes): Sent => {
  head.push('Content-Type', type, 'Content-Length', String(content.length));
  return { status, head, content };
};

/** Returns the function that makes of an answer what is sent. */
export const sender = ({ compression, basePath, crossSiteCookies }: SendSettings) => {
  const usual = flat(responseHeaders[compression === null ? 'operation' : 'compressedOperation']);

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

  /** The head of an answer that is not of an operation. */
  const headOfReply = (request: ServiceRequest, reply: Reply, kind: PageKind): string[] => {
    const { status, body, redirectTo, session } = reply;
    const { Vary = '', ...ofKind }: Headers = responseHeaders[kind];
    const varies = [
      ...(Vary === '' ? [] : [Vary]),
      ...(request.notes.readsAccept === true ? ['Accept'] : []),
      ...(body instanceof Asset ? ['Accept-Encoding'] : []),
    ];
    const isWithoutBody = body === undefined && status !== 204 && status !== 304;
    return merged(
      { [requestIdHeader]: request.id },
      ofKind,
      varies.length === 0 ? {} : { Vary: varies.join(', ') },
      body instanceof Asset ? { 'Cache-Control': body.caching } : {},
      redirectTo === undefined ? {} : { Location: redirectTo },
      session === undefined ? {} : { 'Set-Cookie': sessionCookie(request, session) },
      // Otherwise the browser may show pages and data of the account again when its user goes back.
      session === null ? { 'Clear-Site-Data': '"cache"' } : {},
      body === undefined || body instanceof Asset ? {} : { 'Content-Type': body.type },
      reply.headers ?? {},
      isWithoutBody ? { 'Content-Length': '0' } : {},
    );
  };

  const sendAnswer = (request: ServiceRequest, answer: Answer): Sent | Promise<Sent> => {
    const { status } = answer;
    switch (answer.kind) {
      case 'operation': {
        const head = [...usual, requestIdHeader, request.id];
        if (answer.headers !== undefined) head.push(...flat(answer.headers));
        return status === 200
          ? conditional(request, head, answer.body, compression, answer.pace)
          : whole(status, head, answer.body);
      }
      case 'onPurpose': {
        const { body, headers = {} } = answer;
        const own = { [requestIdHeader]: request.id, 'Content-Type': body.type };
        return withLength(status, merged(responseHeaders.operation, own, headers), body.bytes);
      }
      default: {
        const { body } = answer;
        const head = headOfReply(request, answer, answer.kind);
        if (body instanceof Asset) return conditional(request, head, body, compression);
        return body === undefined ? { status, head } : withLength(status, head, body.bytes);
      }
    }
  };

  return (request: ServiceRequest, answer: Answer): Sent | Promise<Sent> => {
    const sent = sendAnswer(request, answer);
    const { pace } = answer;
    return pace === undefined ? sent : Promise.resolve(sent).then((each) => ({ ...each, pace }));
  };
};

const withLength = (status: number, head: string[], content: Uint8Array): Sent => {
  head.push('Content-Length', String(content.length));
  return { status, head, content };
};

/** A response with more headers; they replace those of the same name. */
export const withHeaders = <R extends Readonly<{ headers?: HeaderChanges }>>(
  response: R,
  headers: Headers,
): R => ({
  ...response,
  headers: { ...response.headers, ...headers },
});

/** A response that warns of something, after what it warns of anyway. */
export const withWarning = <R extends Readonly<{ headers?: HeaderChanges }>>(
  response: R,
  warning: string,
): R => {
  const before = response.headers?.[warningHeader];
  return withHeaders(response, { [warningHeader]: before ? `${before}; ${warning}` : warning });
};

/** Headers as a list of names and values in turn. */
const flat = (headers: Headers): string[] => Object.entries(headers).flat();

/** The same of several; a later one replaces those of its name, whatever their letter case. */
const merged = (...several: readonly HeaderChanges[]): string[] => {
  const byName = several.flatMap((headers) =>
    Object.entries(headers).map((header) => [header[0].toLowerCase(), header] as const),
  );
  return Array.from(new Map(byName).values()).flatMap(([name, value]) =>
    value === null ? [] : [name, value],
  );
};
