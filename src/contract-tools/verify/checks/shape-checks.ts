import { operations } from '../../../contract/operations.js';
import { maxLimit } from '../../../contract/page-and-limit.js';
import type { Exchange } from '../caching-client.js';
import { onPage, violation } from '../cases.js';
import { type Check, must } from '../check.js';
import { response, responses } from '../request-needs.js';
import {
  findingStatusFilters,
  type ListName,
  listNames,
  listRequest,
  listSection,
  prStatusFilters,
  type QueryValues,
  requestTo,
  severityFilters,
  unknownRepoId,
} from '../requests.js';

/** The filters of each list, and what they are in words. */
const filters: Readonly<Record<ListName, readonly [string, readonly QueryValues[]]>> = {
  findings: [
    'repoId, every severity, every status',
    [{ repoId: unknownRepoId }, ...severityFilters, ...findingStatusFilters],
  ],
  prs: ['repoId, every status', [{ repoId: unknownRepoId }, ...prStatusFilters]],
};

const isPage = (exchange: Exchange) => onPage(exchange, () => null);

/**
 * The kind of body of each list, and the parameters that it accepts (contract, sections 2.4, 4.2 and 4.4).
 */
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
  ...listNames.flatMap((name) => {
    const [description, queries] = filters[name];
    return [
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
        `${name}: ${description}, page or limit up to ${maxLimit} are accepted`,
        responses(
          [...queries, { page: 1, limit: maxLimit }, { limit: 1 }].map((query) => listRequest(name, query)),
        ),
        isPage,
      ),
    ];
  }),
];
