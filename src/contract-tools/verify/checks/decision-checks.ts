import { NotFoundBody } from '../../../contract/error-bodies.js';
import { maxLimit } from '../../../contract/page-and-limit.js';
import {
  type Case,
  type Check,
  fieldIs,
  hasStatus,
  info,
  isError,
  isOk,
  onPage,
  violation,
} from '../check.js';
import type { Need } from '../need.js';
import {
  type Exchange,
  listNames,
  listRequest,
  type QueryValues,
  response,
  responses,
  unknownRepoId,
} from '../requests.js';
import { noCredentials } from '../test-credentials.js';

const bothLists = (...queries: readonly QueryValues[]): Need<Exchange> =>
  responses(listNames.flatMap((name) => queries.map((query) => listRequest(name, query))));

const hasFields =
  (expected: QueryValues) =>
  (exchange: Exchange): readonly Case[] =>
    onPage(exchange, (page) => Object.entries(expected).map(([field, value]) => fieldIs(page, field, value)));

const isRejected = (exchange: Exchange): Case => hasStatus(exchange, 400);

const hasHeader =
  (name: string, expected: string, isRight: (value: string) => boolean = () => true) =>
  (exchange: Exchange): Case => {
    const value = exchange.response.headers[name];
    return value !== undefined && isRight(value)
      ? null
      : violation(exchange, expected, value ?? `no ${name}`);
  };

/** Our decisions about requests, where the contract is silent; docs/decisions.md gives the reasons. */
export const decisionChecks: readonly Check[] = [
  info(
    'decisions.limit-above-maximum',
    '4',
    `a limit above ${maxLimit} counts as ${maxLimit}`,
    bothLists({ limit: 1000 }),
    hasFields({ limit: maxLimit }),
  ),
  info(
    'decisions.page-beyond-last',
    '4',
    'a page beyond the last is answered 200 without items',
    bothLists({ page: 1_000_000 }),
    hasFields({ items: [], page: 1_000_000 }),
  ),
  info(
    'decisions.no-pages-of-nothing',
    '2.4',
    'totalPages is 0 if there are no items, as for an unknown repoId',
    bothLists({ repoId: unknownRepoId }),
    hasFields({ totalItems: 0, totalPages: 0 }),
  ),
  info(
    'decisions.not-whole-numbers',
    '4',
    'a page or limit that is not a whole number of at least 1 is answered 400',
    bothLists({ page: '0' }, { page: 'abc' }, { limit: '0' }, { limit: '1.5' }),
    isRejected,
  ),
  info(
    'decisions.unknown-words',
    '4',
    'a severity or status that the contract does not list is answered 400',
    responses([
      listRequest('findings', { severity: 'moderate' }),
      listRequest('findings', { status: 'Pending' }),
      listRequest('prs', { status: 'cancelled' }),
    ]),
    isRejected,
  ),
  info(
    'decisions.parameter-twice',
    '4',
    'a parameter that is given twice is answered 400',
    bothLists({ page: ['1', '2'] }),
    isRejected,
  ),
  info(
    'decisions.unknown-parameter',
    '4',
    'a parameter that the operation does not have is ignored',
    bothLists({ 'triage-api-verify': 1 }),
    isOk,
  ),
  info(
    'decisions.other-paths',
    '7 note 1',
    'any other path under /api is answered 404 {"error":"Not found"}',
    response({ ...listRequest('findings'), path: '/api/v1/triage-api-verify' }),
    (exchange) => isError(exchange, 404, NotFoundBody),
  ),
  info(
    'decisions.etag',
    '4',
    'a 200 has an ETag header',
    response(listRequest('findings')),
    hasHeader('etag', 'an ETag header'),
  ),
  info(
    'decisions.private',
    '4',
    'Cache-Control forbids shared caching',
    response(listRequest('findings')),
    hasHeader('cache-control', 'private or no-store', (value) => /\bprivate\b|\bno-store\b/.test(value)),
  ),
  info(
    'decisions.challenge',
    '5 rule 4',
    'a 401 has a WWW-Authenticate header',
    response(listRequest('prs', {}, noCredentials)),
    hasHeader('www-authenticate', 'a WWW-Authenticate header'),
  ),
  info(
    'decisions.head',
    '1 rule 4',
    'HEAD is answered like GET, without a body',
    response({ ...listRequest('findings'), method: 'HEAD' }),
    (exchange) => {
      const { status, text } = exchange.response;
      return status === 200 && text === '' ? null : violation(exchange, '200 without a body', status);
    },
  ),
];
