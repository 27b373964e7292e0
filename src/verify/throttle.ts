import * as E from '#fp-ts/Either';
import { parseRetryAfter } from '../client/failure.js';
import type { HttpRequest, HttpResponse, NoResponse, RequestError, Send } from '../client/fetch-send.js';
import type { Clock } from '../common/clock.js';
import { inTurn, limitConcurrency } from '../common/concurrency.js';
import { jsonShape } from '../common/json.js';

/** How many requests are sent to a server, and how fast. */
export type ThrottleOptions = Readonly<{
  /** Minimum milliseconds between the starts of two requests. */
  gap: number;
  /** The request budget. Retries count. */
  maxRequests: number;
  /** How many bytes the responses may take in memory, together; left out: any number. */
  maxMemory?: number;
  /** How many requests may wait for their responses at once; 1 unless it is given. */
  concurrency?: number;
  clock: Clock;
  sleep: (milliseconds: number) => Promise<void>;
}>;

/**
 * How often a request is retried, the longest wait that a server may ask for, and the wait if it does not.
 */
const [maxRetries, maxWait, defaultWait] = [3, 30_000, 1000];

/**
 * Sends requests in their order. A 429 or 503 is retried after `Retry-After`, a lost connection after a
 * second: all methods are safe. Nothing else is sent until then, and nothing at all after giving up, which it
 * does at once if the server has never answered.
 */
export const throttle = (
  send: Send,
  { gap, maxRequests, maxMemory = Number.POSITIVE_INFINITY, concurrency = 1, clock, sleep }: ThrottleOptions,
) => {
  const slots = limitConcurrency(concurrency);
  const starts = inTurn();
  let sent = 0;
  let notBefore = Number.NEGATIVE_INFINITY;
  let hasAnswered = false;
  let memory = 0;
  let gone: RequestError | null = null;

  const giveUp = (error: RequestError): E.Either<RequestError, HttpResponse> => {
    gone = error;
    return E.left(error);
  };

  /** Waits until the next request may start, and counts it. Null if it may. */
  const start = async (): Promise<RequestError | null> => {
    let waitedFor = Number.NEGATIVE_INFINITY;
    // A response that comes while this waits can ask for a longer wait.
    while (gone === null && notBefore > waitedFor && notBefore > clock()) {
      waitedFor = notBefore;
      await sleep(waitedFor - clock());
    }
    if (gone !== null) return gone;
    if (sent >= maxRequests) return { _tag: 'BudgetSpent', maxRequests };
    sent += 1;
    notBefore = clock() + gap;
    return null;
  };

  const holdBack = (milliseconds: number): void => {
    notBefore = Math.max(notBefore, clock() + milliseconds);
  };

  const attempt = async (
    request: HttpRequest,
    retry: number,
  ): Promise<E.Either<RequestError, HttpResponse>> => {
    const refused = await starts(start);
    if (refused !== null) return E.left(refused);
    const result = await send(request);
    const isLast = retry >= maxRetries;
    if (E.isLeft(result)) {
      if (isLast || !hasAnswered || result.left._tag === 'ResponseTooLong') return giveUp(result.left);
      holdBack(defaultWait);
      return attempt(request, retry + 1);
    }
    hasAnswered = true;
    const { status, headers, text } = result.right;
    memory += memoryFor(text);
    if (memory > maxMemory)
      return giveUp({ _tag: 'ResponsesTooLarge', request: `${request.method} ${request.target}` });
    if (status !== 429 && status !== 503) return result;
    const wait = parseRetryAfter(headers['retry-after'] ?? '', clock()) ?? defaultWait;
    if (wait > maxWait)
      return giveUp(unreachable(`it answers ${status} and asks to wait ${Math.ceil(wait / 1000)} s`));
    if (isLast) return giveUp(unreachable(`it keeps answering ${status}`));
    holdBack(wait);
    return attempt(request, retry + 1);
  };

  const sendInTurn: Send<RequestError> = (request) => slots(() => attempt(request, 0));
  /** `sent`: how many requests were sent so far. */
  return { send: sendInTurn, sent: () => sent };
};

export type ThrottledSender = Readonly<ReturnType<typeof throttle>>;

/** How many bytes a response takes, about: its text, and each value in it once it is read. */
const memoryFor = (text: string): number => {
  const { values, properties } = jsonShape(text);
  return text.length + 50 * (values + properties);
};

const unreachable = (reason: string): NoResponse => ({ _tag: 'Unreachable', reason });
