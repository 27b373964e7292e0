import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { Clock } from '../common/clock.js';
import type { HttpRequest, HttpResponse, NoResponse, RequestError, Send } from './http.js';

/** How many requests are sent to a server, and how fast. */
export type ThrottleOptions = Readonly<{
  /** Minimum milliseconds between the starts of two requests. */
  gap: number;
  /** The request budget. Retries count. */
  maxRequests: number;
  clock: Clock;
  sleep: (milliseconds: number) => Promise<void>;
}>;

export type ThrottledSender = Readonly<{
  send: (request: HttpRequest) => TE.TaskEither<RequestError, HttpResponse>;
  /** The number of requests sent so far. */
  sent: () => number;
}>;

/** How often a request is retried after a lost connection, a 429 or a 503. */
const maxRetries = 3;

/** The longest wait that a server may ask for, and the wait when it does not say, in milliseconds. */
const maxWait = 30_000;
const defaultWait = 1000;

/**
 * Sends one request at a time, with a gap between them and within a budget. A 429 or 503 is retried after
 * `Retry-After`, a lost connection after a second; that is safe, because all methods are. Once the server is
 * unreachable or has sent too long a response, no more requests are sent.
 */
export const throttle = (
  send: Send,
  { gap, maxRequests, clock, sleep }: ThrottleOptions,
): ThrottledSender => {
  let queue: Promise<unknown> = Promise.resolve();
  let sent = 0;
  let notBefore = Number.NEGATIVE_INFINITY;
  let gone: NoResponse | null = null;

  const giveUp = (error: NoResponse): E.Either<RequestError, HttpResponse> => {
    gone = error;
    return E.left(error);
  };

  const attempt = async (
    request: HttpRequest,
    retry: number,
  ): Promise<E.Either<RequestError, HttpResponse>> => {
    if (gone !== null) return E.left(gone);
    if (sent >= maxRequests) return E.left({ _tag: 'BudgetSpent', maxRequests });
    const wait = notBefore - clock();
    if (wait > 0) await sleep(wait);
    sent += 1;
    notBefore = clock() + gap;
    const result = await send(request)();
    const isLast = retry >= maxRetries;
    if (E.isLeft(result)) {
      if (isLast || result.left._tag === 'ResponseTooLong') return giveUp(result.left);
      await sleep(defaultWait);
      return attempt(request, retry + 1);
    }
    const { status, headers } = result.right;
    if (status !== 429 && status !== 503) return result;
    const asked = parseRetryAfter(headers['retry-after'], clock()) ?? defaultWait;
    if (asked > maxWait)
      return giveUp(unreachable(`it answers ${status} and asks to wait ${Math.ceil(asked / 1000)} s`));
    if (isLast) return giveUp(unreachable(`it keeps answering ${status}`));
    await sleep(asked);
    return attempt(request, retry + 1);
  };

  return {
    sent: () => sent,
    send: (request) => () => {
      const turn = queue.then(() => attempt(request, 0));
      queue = turn.catch(() => {});
      return turn;
    },
  };
};

const unreachable = (reason: string): NoResponse => ({ _tag: 'Unreachable', reason });

/**
 * The milliseconds that a `Retry-After` header asks to wait (RFC 9110, section 10.2.3): given as seconds or
 * as a date. Null when the header is missing or malformed.
 */
export const parseRetryAfter = (header: string | undefined, now: number): number | null => {
  if (header === undefined) return null;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const moment = Date.parse(header);
  return Number.isNaN(moment) ? null : Math.max(0, moment - now);
};
