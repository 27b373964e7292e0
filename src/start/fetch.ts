import { readCredentials } from '../api/credentials.js';
import {
  chosenRequestId,
  clientGone,
  harmlessPath,
  mediaTypeOf,
  type RequestHeaders,
  readTarget,
  type ServiceRequest,
  shownTarget,
} from '../api/request.js';
import type { Outcome, Pace, SendingEnd, Sent } from '../api/response.js';
import type { Service } from '../api/service.js';
import { sessionCookieName } from '../contract/operations.js';

/** What becomes of a request. */
export type Answer = Outcome<Response>;

/** How the cookies of a client are kept, and what else is known of its requests. */
export type CookieHandling = Readonly<{
  /** The cookies of a request whose headers do not have them. */
  cookiesFor: (headers: RequestHeaders) => ReadonlyMap<string, string>;
  /** Told of a cookie that is set, or cleared: null. `line`: the whole header. */
  onCookie: (name: string, value: string | null, line: string) => void;
  /** Headers that the request itself does not show. */
  headers?: RequestHeaders;
}>;

/** A request that was answered. `url`: without what may be a secret. */
type Answered = Readonly<{ method: string; url: string; status: number; milliseconds: number }>;

/** What the door of `fetch` needs besides the service. */
export type FetchDependencies = Readonly<{
  /** A monotonic clock in milliseconds. */
  elapsed: () => number;
  /** What comes before the paths of the service: `/mock`, or nothing. */
  basePath: string;
  onRequest: (answered: Answered) => void;
  /** Who may use the controls, and is offered the accounts; `headers` are all that are known. */
  mayControl: (url: URL, headers: RequestHeaders) => boolean;
}>;

/** The door of `fetch`: a service without a connection, for one client that has no address. */
export const fetchDoor = (
  serviceFor: (request: ServiceRequest) => Service | Promise<Service>,
  dependencies: FetchDependencies,
) => {
  const { elapsed, onRequest } = dependencies;
  return async (incoming: Request, handling: CookieHandling): Promise<Answer> => {
    const started = elapsed();
    const request = serviceRequest(incoming, handling, dependencies);
    const { method, path, target } = request;
    const service = await serviceFor(request);
    const outcome = await service.serve(service.find(method, path), request);
    const isAnswered = typeof outcome === 'object';
    const status = isAnswered ? outcome.status : clientGone;
    const milliseconds = Math.round(elapsed() - started);
    onRequest({ method, url: shownTarget(target), status, milliseconds });
    const onEnd = (end: SendingEnd, length: number): void => service.onEnd?.(request, outcome, end, length);
    if (!isAnswered) {
      onEnd('gone', 0);
      return outcome;
    }
    const cookieAt = outcome.head.indexOf('Set-Cookie');
    if (cookieAt >= 0) {
      const line = outcome.head[cookieAt + 1] ?? '';
      const [, name = '', value = ''] = /^([^=;]+)=([^;]*)/.exec(line) ?? [];
      handling.onCookie(name, value === '' ? null : value, line);
    }
    return responseOf(request, outcome, onEnd);
  };
};

/** How long a target may be: as long as the head of a request to the server. */
const maxTarget = 16 * 1024;

/** A request of `fetch` as the service takes it: of a client that has no address. */
const serviceRequest = (
  request: Request,
  handling: CookieHandling,
  { basePath, ...trust }: Pick<FetchDependencies, 'basePath' | 'mayControl'>,
): ServiceRequest => {
  const { method, signal, credentials } = request;
  const url = new URL(request.url);
  const { pathname, search, origin, protocol } = url;
  const whole = `${pathname}${search}`;
  const read = whole.length <= maxTarget ? readTarget(whole, basePath) : null;
  const target = read?.path ?? harmlessPath(whole.slice(0, maxTarget));
  const own: RequestHeaders = { ...Object.fromEntries(request.headers), ...handling.headers };
  const mayControl = trust.mayControl(url, own);
  const hasSession = readCredentials(own, ['session']).sessionValue !== null;
  // A page may say that a request shall have no cookies.
  const kept = credentials === 'omit' ? [] : Array.from(handling.cookiesFor(own));
  const cookies = kept.flatMap(([name, value]) =>
    hasSession && name === sessionCookieName ? [] : `${name}=${value}`,
  );
  const cookie = [...(own.cookie === undefined ? [] : [own.cookie]), ...cookies].join('; ');
  const headers = cookies.length === 0 ? own : { ...own, cookie };
  let text: Promise<Readonly<{ text: string }> | 'TooLong' | 'Malformed'> | undefined;
  return {
    id: chosenRequestId(headers),
    method,
    path: target.split('?')[0] ?? '',
    querystring: search.slice(1),
    target,
    headers,
    notes: {},
    refused: read === null ? { _tag: 'MalformedRequest' } : null,
    origin,
    isSecure: protocol === 'https:',
    address: 'unknown',
    network: 'unknown',
    isLocal: mayControl,
    mayControl,
    hasLeft: () => signal.aborted,
    signal,
    body: async (maxLength) => {
      text ??= textOf(request, maxLength).catch(() => 'Malformed');
      const read = await text;
      return typeof read === 'string' ? read : { type: mediaTypeOf({ headers: own }), ...read };
    },
  };
};

/** Reads a body of so many bytes at most. The rest of a longer one is not read. */
const textOf = async (
  request: Request,
  maxLength: number,
): Promise<Readonly<{ text: string }> | 'TooLong'> => {
  // Firefox does not show the body as a stream.
  const reader = (request.body ?? (await request.blob()).stream()).getReader();
  const decoder = new TextDecoder();
  let [text, length] = ['', 0];
  for (let part = await reader.read(); part.value !== undefined; part = await reader.read()) {
    length += part.value.length;
    if (length > maxLength) {
      reader.cancel().catch(() => {});
      return 'TooLong';
    }
    text += decoder.decode(part.value, { stream: true });
  }
  return { text: text + decoder.decode() };
};

/** What is sent, as a response. One to HEAD has no body. */
const responseOf = (
  { method, signal }: ServiceRequest,
  { status, head, content, pace }: Sent,
  onEnd: (end: SendingEnd, length: number) => void,
): Response => {
  const headers = new Headers();
  for (let i = 0; i < head.length; i += 2) headers.append(head[i] ?? '', head[i + 1] ?? '');
  if (content !== undefined && pace !== undefined && method !== 'HEAD')
    return new Response(pacedStream(content, pace, signal, onEnd), { status, headers });
  const hasBody = content !== undefined && method !== 'HEAD';
  onEnd('written', hasBody ? content.length : 0);
  if (!hasBody) return new Response(null, { status, headers });
  // A copy of bytes, so that nobody changes what is kept.
  return new Response(Uint8Array.from(content), { status, headers });
};

/** A body that comes slowly, or fails in its middle. */
const pacedStream = (
  content: Uint8Array,
  pace: Pace,
  signal: AbortSignal,
  onEnd: (end: SendingEnd, length: number) => void,
): ReadableStream<Uint8Array> => {
  const parts = pace.parts(content, signal);
  let length = 0;
  return new ReadableStream({
    pull: async (stream) => {
      const { done, value } = await parts.next();
      if (done !== true) {
        length += value.length;
        return stream.enqueue(Uint8Array.from(value));
      }
      onEnd(signal.aborted ? 'gone' : pace.isCut ? 'cut' : 'written', length);
      if (pace.isCut) stream.error(connectionCut());
      else stream.close();
    },
    cancel: async () => {
      await parts.return();
      onEnd('gone', length);
    },
  });
};

/** What `fetch` throws when a connection is cut. */
export const connectionCut = (): TypeError => new TypeError('the connection was cut, which was simulated');
