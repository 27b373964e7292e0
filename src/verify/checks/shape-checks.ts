import type { ListName } from '../../client/operation-requests.js';
import { FindingStatus, PrStatus, Severity } from '../../contract/enums.js';
import { operations } from '../../contract/operations.js';
import { maxLimit } from '../../contract/parameters.js';
import type { Exchange } from '../caching-client.js';
import { onPage, violation } from '../cases.js';
import { type Check, must } from '../check.js';
import { response, responses } from '../needs.js';
import { listNames, listRequest, listSection, type QueryValues, requestTo } from '../requests.js';

const each = (name: string, { keys }: Readonly<{ keys: object }>): readonly QueryValues[] =>
  Object.keys(keys).map((value) => ({ [name]: value }));

const filters: Readonly<Record<ListName, readonly QueryValues[]>> = {
  findings: [...each('severity', Severity), ...each('status', FindingStatus)],
  prs: each('status', PrStatus),
};

const filterNames: Readonly<Record<ListName, string>> = {
  findings: 'every severity and every status',
  prs: 'every status',
};

const isPage = (exchange: Exchange) => onPage(exchange, () => null);

/** The kind of body of each list, and the parameters that it accepts (contract, sections 2.4, 4.2 and 4.4). */
export const shapeChecks: readonly Check[] = [
  must(
    'repos.array',
    '2.4, 4.1',
    'repos: the body is a bare array',
    response(requestTo(operations.listConnectedRepos)),
    (exchange) =>
      exchange.response.status === 200 && Array.isArray(exchange.body)
        ? null
        : violation(exchange, '200 with an array', exchange.body),
  ),
  ...listNames.flatMap((name) => [
    must(
      `${name}.page`,
      `${listSection[name]} rule 1`,
      `${name}: the body is a page with items`,
      response(listRequest(name)),
      isPage,
    ),
    must(
      `${name}.parameters`,
      listSection[name],
      `${name}: ${filterNames[name]}, page, and limit up to ${maxLimit} are accepted`,
      responses(
        [...filters[name], { page: 1, limit: maxLimit }, { limit: 1 }].map((query) =>
          listRequest(name, query),
        ),
      ),
      isPage,
    ),
  ]),
];
