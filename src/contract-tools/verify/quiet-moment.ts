import { describeRequest } from '../../client/outgoing-request.js';
import { canonicalJson } from '../../common/json.js';
import type { Exchange } from './caching-client.js';
import { contractPart } from './contract-fields.js';

/**
 * The responses of two points in time are the same, as far as the contract describes them: in between, no
 * data has changed that they show.
 */
export const isQuiet = (before: readonly Exchange[], after: readonly Exchange[]): boolean => {
  const known = new Map(before.map((exchange) => [describeRequest(exchange.request), exchange]));
  return (
    before.length === after.length &&
    after.every((exchange) => {
      const earlier = known.get(describeRequest(exchange.request));
      return earlier !== undefined && isSameContent(earlier, exchange);
    })
  );
};

/** Two responses to the same request say the same, as far as the contract describes them. */
export const isSameContent = (left: Exchange, right: Exchange): boolean =>
  left.response.status === right.response.status &&
  (left.response.text === right.response.text || contentOf(left) === contentOf(right));

const contentOf = ({ body, response }: Exchange): string =>
  body === undefined ? response.text : canonicalJson(contractPart(body));
