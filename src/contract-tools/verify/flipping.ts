import * as E from '#fp-ts/Either';
import { type ApiRequest, describeRequest } from '../../client/outgoing-request.js';
import type { Exchange } from './caching-client.js';
import type { FetchContext } from './need.js';
import { isSameContent } from './quiet-moment.js';

/** How many requests are probed, and how often each is sent. */
const maxProbed = 3;
const times = 12;

/**
 * Whether responses go back and forth between states, as those of two replicas do that answer in turn. What
 * is the same before and after a comparison was then not necessarily the same in between. The longest
 * responses are probed, since they show the most data.
 */
export const isFlipping = async (
  exchanges: readonly Exchange[],
  newContext: () => FetchContext,
): Promise<boolean> => {
  const byRequest = new Map(exchanges.map((exchange) => [describeRequest(exchange.request), exchange]));
  const probed = Array.from(byRequest.values())
    .sort((left, right) => right.response.text.length - left.response.text.length)
    .slice(0, maxProbed);
  for (const { request } of probed) {
    if (comesBack(await repeated(request, newContext))) return true;
  }
  return false;
};

const repeated = async (
  request: ApiRequest,
  newContext: () => FetchContext,
): Promise<readonly Exchange[]> => {
  const found: Exchange[] = [];
  for (let count = 0; count < times; count += 1) {
    const exchange = await newContext().client.send(request)();
    if (E.isRight(exchange)) found.push(exchange.right);
  }
  return found;
};

/** Whether a response is the same as an earlier one, after another one in between. */
const comesBack = (exchanges: readonly Exchange[]): boolean =>
  exchanges.some((exchange, index) => {
    const before = exchanges.slice(0, index);
    const last = before.at(-1);
    return (
      last !== undefined &&
      !isSameContent(last, exchange) &&
      before.some((earlier) => isSameContent(earlier, exchange))
    );
  });
