import * as E from '#fp-ts/Either';
import type * as TE from '#fp-ts/TaskEither';
import type { HttpResponse, RequestError } from '../../client/fetch-send.js';
import { type ApiRequest, describeRequest, toHttpRequest } from '../../client/outgoing-request.js';
import type { ThrottledSender } from '../../client/throttle.js';
import { parseJson } from '../../common/json.js';
import { compareCodePoints } from '../../common/sort-and-group.js';

/** A request and its response; `body` is the parsed JSON, or undefined if the response is not JSON. */
export type Exchange = Readonly<{ request: ApiRequest; response: HttpResponse; body: unknown }>;

/** Sends each distinct request once and answers repeated ones from memory. */
export type CachingClient = Readonly<{
  send: (request: ApiRequest) => TE.TaskEither<RequestError, Exchange>;
  /**
   * All exchanges so far, short requests first. The order does not depend on which response came first, so
   * that two runs report the same.
   */
  exchanges: () => readonly Exchange[];
}>;

/** A client with an empty cache. The contract does not name the session cookie, so `cookieName` does. */
export const cachingClient = (sender: ThrottledSender, cookieName: string): CachingClient => {
  const cache = new Map<string, Promise<E.Either<RequestError, Exchange>>>();
  const exchanges: Exchange[] = [];
  const exchange = async (request: ApiRequest): Promise<E.Either<RequestError, Exchange>> => {
    const sent = await sender.send(toHttpRequest(cookieName, request))();
    if (E.isLeft(sent)) return sent;
    const result = { request, response: sent.right, body: parseJson(sent.right.text) };
    exchanges.push(result);
    return E.right(result);
  };
  return {
    exchanges: () => inFixedOrder(exchanges),
    send: (request) => () => {
      const key = describeRequest(request);
      const result = cache.get(key) ?? exchange(request);
      cache.set(key, result);
      return result;
    },
  };
};

/** A client with the exchanges that were asked of it, whether or not another one has them in its cache. */
export const noting = (client: CachingClient): CachingClient => {
  const noted = new Map<string, Exchange>();
  return {
    exchanges: () => inFixedOrder(Array.from(noted.values())),
    send: (request) => async () => {
      const result = await client.send(request)();
      if (E.isRight(result)) noted.set(describeRequest(request), result.right);
      return result;
    },
  };
};

const inFixedOrder = (exchanges: readonly Exchange[]): readonly Exchange[] =>
  exchanges
    .map((exchange) => ({ exchange, text: describeRequest(exchange.request) }))
    .sort((left, right) => left.text.length - right.text.length || compareCodePoints(left.text, right.text))
    .map(({ exchange }) => exchange);
