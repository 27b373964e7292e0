import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import { type ApiRequest, describeRequest, toHttpRequest } from '../client/api-request.js';
import type { HttpResponse } from '../client/http.js';
import type { ThrottledSender } from '../client/throttle.js';
import { parseJson } from '../common/parse-json.js';
import type { CheckBlocked } from './check-blocked.js';
import type { TestCredentials } from './test-credentials.js';

/** A request and what came back; `body` is undefined where it is no JSON. */
export type Exchange = Readonly<{ ask: ApiRequest; answer: HttpResponse; body: unknown }>;

/** One look at a server: what was asked once is not asked again. */
export type Asking = Readonly<{
  ask: (ask: ApiRequest) => TE.TaskEither<CheckBlocked, Exchange>;
  /** All that was seen so far, in the order of its coming. */
  exchanges: () => readonly Exchange[];
}>;

/** The same, with what checks may ask as. */
export type Reading = Asking & Readonly<{ credentials: TestCredentials }>;

/** Begins to look at a server. `cookieName` is that of the session cookie, on which the contract is silent. */
export const askThrough = (sender: ThrottledSender, cookieName: string): Asking => {
  const asked = new Map<string, Promise<E.Either<CheckBlocked, Exchange>>>();
  const exchanges: Exchange[] = [];
  const send = async (ask: ApiRequest): Promise<E.Either<CheckBlocked, Exchange>> => {
    const answer = await sender.send(toHttpRequest(cookieName, ask))();
    if (E.isLeft(answer)) return answer;
    const exchange = { ask, answer: answer.right, body: parseJson(answer.right.text) };
    exchanges.push(exchange);
    return E.right(exchange);
  };
  return {
    exchanges: () => exchanges,
    ask: (ask) => () => {
      const key = describeRequest(ask);
      const before = asked.get(key);
      if (before !== undefined) return before;
      const sent = send(ask);
      asked.set(key, sent);
      return sent;
    },
  };
};
