import { ErrorBody } from '../../contract/error-bodies.js';
import { violation } from '../cases.js';
import { type Check, must } from '../check.js';
import { isRow } from '../json-rows.js';
import { exchangesSoFar, responses, split } from '../needs.js';
import { allOperations, requestTo } from '../requests.js';

const patterns = allOperations.map(({ path }) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`));

/** The responses of the run so far that come from an operation and may have a body. */
const operationResponses = split(exchangesSoFar, (exchange) =>
  exchange.request.method === 'GET' && patterns.some((pattern) => pattern.test(exchange.request.path))
    ? [exchange]
    : [],
);

/** Methods that v1 does not have. */
const writeMethods = ['POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Statements about the service as a whole (contract, sections 1 and 7). Whether it can write is asked with
 * OPTIONS, which changes nothing by definition. A trial could do damage on a server that does write.
 */
export const serviceChecks: readonly Check[] = [
  must(
    'service.json-type',
    '1 rule 1',
    'the Content-Type of every response is application/json',
    operationResponses,
    (exchange) => {
      const type = exchange.response.headers['content-type'] ?? 'no content-type';
      return /^application\/json *(;|$)/i.test(type)
        ? null
        : violation(exchange, 'content-type application/json', type);
    },
    'a response',
  ),
  must(
    'service.json-body',
    '1 rule 1',
    'the body of every response is JSON',
    operationResponses,
    (exchange) =>
      exchange.body === undefined ? violation(exchange, 'a JSON body', exchange.response.text) : null,
    'a response',
  ),
  must(
    'service.error-body',
    '7',
    'the body of every failure is an object whose only field is error, a string',
    operationResponses,
    (exchange) => {
      const { body, response } = exchange;
      if (response.status < 400) return [];
      return isRow(body) && ErrorBody.is(body) && Object.keys(body).length === 1
        ? null
        : violation(exchange, 'an object whose only field is error, a string', body ?? response.text);
    },
    'a response',
  ),
  must(
    'service.read-only',
    '1 rule 4',
    'no operation lists a method that writes in the Allow header of OPTIONS',
    responses(allOperations.map((operation) => requestTo(operation, { method: 'OPTIONS' }))),
    (exchange) => {
      const { allow } = exchange.response.headers;
      if (allow === undefined) return [];
      const methods = allow.split(',').map((method) => method.trim().toUpperCase());
      return methods.some((method) => writeMethods.includes(method))
        ? violation(exchange, 'an Allow header without methods that write', allow)
        : null;
    },
    'a server that answers OPTIONS with an Allow header',
  ),
];
