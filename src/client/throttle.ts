import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { Clock } from '../common/clock.js';
import type { HttpRequest, HttpResponse, RequestError, Send, Unreachable } from './http.js';
import { parseRetryAfter } from './retry-after.js';

/** How much may be asked of a server, and how fast. */
export type ThrottleOptions = Readonly<{
  /** Milliseconds from the start of one request to that of the next, at least. */
  gap: number;
  /** Repetitions count. */
  maxRequests: number;
  clock: Clock;
  sleep: (milliseconds: number) => Promise<void>;
}>;

export type ThrottledSender = Readonly<{
  send: (request: HttpRequest) => TE.TaskEither<RequestError, HttpResponse>;
  /** How many requests were sent so far. */
  sent: () => number;
}>;

/** How often a request is repeated that got no answer, or the answer to come back later. */
const mostRepetitions = 3;

/** How long a server may ask to wait, and how long we wait where it does not say, in milliseconds. */
const longestWait = 30_000;
const usualWait = 1000;

/**
 * Sends one request at a time, with a gap between them, and no more than so many. 429 and 503 are repeated after
 * `Retry-After`, a lost connection after a second: all requests are safe. Once the server is out of reach, it is asked no more.
 */
export const throttle = (
  send: Send,
  { gap, maxRequests, clock, sleep }: ThrottleOptions,
): ThrottledSender => {
  let queue: Promise<unknown> = Promise.resolve();
  let sent = 0;
  let notBefore = Number.NEGATIVE_INFINITY;
  let gone: Unreachable | null = null;

  const giveUp = (reason: string): E.Either<RequestError, HttpResponse> => {
    gone = { _tag: 'Unreachable', reason };
    return E.left(gone);
  };

  const attempt = async (
    request: HttpRequest,
    repetition: number,
  ): Promise<E.Either<RequestError, HttpResponse>> => {
    if (gone !== null) return E.left(gone);
    if (sent >= maxRequests) return E.left({ _tag: 'BudgetSpent', most: maxRequests });
    const wait = notBefore - clock();
    if (wait > 0) await sleep(wait);
    sent += 1;
    notBefore = clock() + gap;
    const result = await send(request)();
    const isLast = repetition >= mostRepetitions;
    if (E.isLeft(result)) {
      if (isLast) return giveUp(result.left.reason);
      await sleep(usualWait);
      return attempt(request, repetition + 1);
    }
    const { status, headers } = result.right;
    if (status !== 429 && status !== 503) return result;
    const asked = parseRetryAfter(headers['retry-after'], clock()) ?? usualWait;
    if (asked > longestWait)
      return giveUp(`it answers ${status} and asks to wait ${Math.ceil(asked / 1000)} s`);
    if (isLast) return giveUp(`it keeps answering ${status}`);
    await sleep(asked);
    return attempt(request, repetition + 1);
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
