import { byteOrderMark, endOfString, isTooDeep, tooDeep } from '../../common/json.js';
import { ErrorBody, NotFoundBody } from '../../contract/error-bodies.js';
import { maxLimit } from '../../contract/page-and-limit.js';
import {
  type Case,
  type Cases,
  type Check,
  checksOf,
  fieldsAre,
  hasStatus,
  inside,
  isError,
  isOk,
  judgeEach,
  judgeRun,
  onPage,
  violation,
} from '../check.js';
import {
  allOperations,
  type Exchange,
  isGiven,
  jsonType,
  listNames,
  listRequest,
  operationOf,
  type QueryValues,
  requestTo,
  unknownRepoId,
} from '../exchange.js';
import { isRow } from '../rows.js';
import { noCredentials } from '../test-credentials.js';

/** The keys that an object of a JSON text has more than once. */
const repeatedKeys = (json: string): readonly string[] => {
  const open: Set<string>[] = [];
  const repeated: string[] = [];
  let lastString = '';
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === '{') open.push(new Set());
    else if (character === '}') open.pop();
    else if (character === '"') {
      const end = endOfString(json, at) + 1;
      lastString = json.slice(at, end);
      at = end - 1;
    } else if (character === ':') {
      const key = String(JSON.parse(lastString));
      if (open.at(-1)?.has(key)) repeated.push(key);
      open.at(-1)?.add(key);
    }
  }
  return repeated;
};

/** Whether a response has a body. Whether other failures have one is left open. */
const hasBody = (exchange: Exchange): boolean => isGiven(exchange) || exchange.response.text !== '';

/** Judges the responses of the run so far that come from an operation. */
const judgeOperations = (judge: (exchange: Exchange) => Cases) =>
  judgeRun(async ({ client }) => {
    const isOfOperation = ({ request: { method, path } }: Exchange): boolean =>
      method === 'GET' && operationOf(path) !== undefined;
    return client.exchanges().filter(isOfOperation);
  }, judge);

/** Those of them that have a body. */
const judgeBodies = (judge: (exchange: Exchange) => Cases) =>
  judgeOperations((exchange) => (hasBody(exchange) ? judge(exchange) : []));

/** Requests for paths under the prefix of the API that no operation has, with and without credentials. */
const otherPaths = [
  { ...listRequest('findings'), path: '/api/v1/triage-api-verify' },
  { ...listRequest('findings'), path: '/api/v1/findings/triage-api/verify' },
  { ...listRequest('findings', {}, noCredentials), path: '/api/v1/triage-api-verify' },
];

const hasJsonType = (exchange: Exchange): Case => {
  const type = exchange.response.headers['content-type'] ?? 'no content-type';
  return jsonType.test(type) ? null : violation(exchange, 'a content-type that means JSON', type);
};

const hasJsonBody = (exchange: Exchange): Case => {
  const { body, response } = exchange;
  if (body !== undefined) return null;
  const expected = isTooDeep(response.text) ? `JSON that is not ${tooDeep}` : 'a JSON body';
  return violation(exchange, expected, response.text);
};

const isErrorBody = (exchange: Exchange): Case => {
  const { body, response } = exchange;
  return isRow(body) && ErrorBody.is(body) && Object.keys(body).length === 1
    ? null
    : violation(exchange, 'an object whose only field is error, a string', body ?? response.text);
};

const writeMethods = ['POST', 'PUT', 'PATCH', 'DELETE'];

const { must } = checksOf('service', 'a response', null);
const { info } = checksOf('decisions', 'data to check', null);

/**
 * Statements about the service as a whole (contract, sections 1 and 7). Whether it can write is asked with
 * OPTIONS, which changes nothing by definition. A trial could do damage on a server that does write.
 */
export const serviceChecks: readonly Check[] = [
  must(
    'json-type (1 rule 1; content-type): the Content-Type of every response means JSON: application/json, or a type that ends in +json',
    'Clients decide by the Content-Type whether a body is JSON. A body that is labelled as text or as a web page ' +
      'is not sent as JSON, even if a parser of JSON would accept it.',
  )(judgeBodies(hasJsonType)),
  must('json-body (1 rule 1; not-json): the body of every response is JSON')(judgeBodies(hasJsonBody)),
  must(
    'byte-order-mark (1 rule 1; byte-order-mark): no body begins with a byte-order mark',
    'RFC 8259, section 8.1: JSON that is sent over a network must not begin with a byte-order mark. Parsers such ' +
      'as JSON.parse refuse it.',
  )(
    judgeBodies((exchange) =>
      exchange.response.text.startsWith(byteOrderMark)
        ? violation(exchange, 'no byte-order mark', exchange.response.text.slice(0, 10))
        : null,
    ),
  ),
  must(
    'unique-keys (1 rule 1, 2; repeated-key): no object in a body has a key twice',
    'Section 2 gives each field one value. If a key occurs twice, parsers disagree about which value counts ' +
      '(RFC 8259, section 4).',
  )(
    judgeBodies((exchange) => {
      if (exchange.body === undefined) return [];
      const [key] = repeatedKeys(exchange.response.text);
      return key === undefined
        ? null
        : violation(inside(exchange, key), 'each key once', `${JSON.stringify(key)} twice`);
    }),
  ),
  must.requiring('a response with a body to an unknown path')(
    'other-paths (1 rule 1; other-paths): the body of the response to any other path under /api/v1 is JSON, too',
    'Section 1, rule 1 speaks of every response body of the service, and section 9 of /api/v1 as its prefix. Which ' +
      'status and which message an unknown path gets is left open.',
  )(
    judgeEach(otherPaths, (exchange) =>
      hasBody(exchange) ? [hasJsonType(exchange), hasJsonBody(exchange)] : [],
    ),
  ),
  must(
    'error-body (7): the body of every failure that section 7 lists is an object whose only field is error, a string',
  )(
    judgeOperations((exchange) =>
      isGiven(exchange) && exchange.response.status !== 200 ? isErrorBody(exchange) : [],
    ),
  ),
  info.requiring('a response that refuses a request')(
    'error-bodies (7): the body of every other failure is an object whose only field is error, a string, too',
  )(
    judgeOperations((exchange) =>
      exchange.response.status >= 400 && !isGiven(exchange) ? isErrorBody(exchange) : [],
    ),
  ),
  must.requiring('a server that answers OPTIONS with an Allow header')(
    'read-only (1 rule 4; writes): no operation lists a method that writes in the Allow header of OPTIONS',
  )(
    judgeEach(
      allOperations.map((operation) => requestTo(operation, { method: 'OPTIONS' })),
      (exchange) => {
        const { allow } = exchange.response.headers;
        if (allow === undefined) return [];
        const methods = allow.split(',').map((method) => method.trim().toUpperCase());
        return methods.some((method) => writeMethods.includes(method))
          ? violation(exchange, 'an Allow header without methods that write', allow)
          : null;
      },
    ),
  ),
];

/** Judges the responses to these queries of both lists. */
const judgeLists = (queries: readonly QueryValues[], judge: (exchange: Exchange) => Cases) =>
  judgeEach(
    listNames.flatMap((name) => queries.map((query) => listRequest(name, query))),
    judge,
  );

const hasFields =
  (expected: QueryValues) =>
  (exchange: Exchange): Cases =>
    onPage(exchange, (page) => fieldsAre(page, expected));

const isRejected = (exchange: Exchange): Case => hasStatus(exchange, 400);

const hasHeader =
  (name: string, expected: string, isRight = /^/) =>
  (exchange: Exchange): Case => {
    const value = exchange.response.headers[name];
    return value !== undefined && isRight.test(value)
      ? null
      : violation(exchange, expected, value ?? `no ${name}`);
  };

const findings = [listRequest('findings')];

/** Our decisions about requests, where the contract is silent; docs/decisions.md gives the reasons. */
export const decisionChecks: readonly Check[] = [
  info(`limit-above-maximum (4): a limit above ${maxLimit} counts as ${maxLimit}`)(
    judgeLists([{ limit: 1000 }], hasFields({ limit: maxLimit })),
  ),
  info('page-beyond-last (4): a page beyond the last is answered 200 without items')(
    judgeLists([{ page: 1_000_000 }], hasFields({ items: [], page: 1_000_000 })),
  ),
  info('no-pages-of-nothing (2.4): totalPages is 0 if there are no items, as for an unknown repoId')(
    judgeLists([{ repoId: unknownRepoId }], hasFields({ totalItems: 0, totalPages: 0 })),
  ),
  info('not-whole-numbers (4): a page or limit that is not a whole number of at least 1 is answered 400')(
    judgeLists([{ page: '0' }, { page: 'abc' }, { limit: '0' }, { limit: '1.5' }], isRejected),
  ),
  info('unknown-words (4): a severity or status that the contract does not list is answered 400')(
    judgeEach(
      [
        listRequest('findings', { severity: 'moderate' }),
        listRequest('findings', { status: 'Pending' }),
        listRequest('prs', { status: 'cancelled' }),
      ],
      isRejected,
    ),
  ),
  info('parameter-twice (4): a parameter that is given twice is answered 400')(
    judgeLists([{ page: ['1', '2'] }], isRejected),
  ),
  info('unknown-parameter (4): a parameter that the operation does not have is ignored')(
    judgeLists([{ 'triage-api-verify': 1 }], isOk),
  ),
  info('other-paths (7 note 1): any other path under /api is answered 404 {"error":"Not found"}')(
    judgeEach([{ ...listRequest('findings'), path: '/api/v1/triage-api-verify' }], (exchange) =>
      isError(exchange, 404, NotFoundBody),
    ),
  ),
  info('etag (4): a 200 has an ETag header')(judgeEach(findings, hasHeader('etag', 'an ETag header'))),
  info('private (4): Cache-Control forbids shared caching')(
    judgeEach(findings, hasHeader('cache-control', 'private or no-store', /\bprivate\b|\bno-store\b/)),
  ),
  info('challenge (5 rule 4): a 401 has a WWW-Authenticate header')(
    judgeEach(
      [listRequest('prs', {}, noCredentials)],
      hasHeader('www-authenticate', 'a WWW-Authenticate header'),
    ),
  ),
  info('head (1 rule 4): HEAD is answered like GET, without a body')(
    judgeEach([{ ...listRequest('findings'), method: 'HEAD' }], (exchange) => {
      const { status, text } = exchange.response;
      return status === 200 && text === '' ? null : violation(exchange, '200 without a body', status);
    }),
  ),
];
