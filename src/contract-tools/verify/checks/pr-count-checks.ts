import { maxLimit } from '../../../contract/page-and-limit.js';
import type { Exchange } from '../caching-client.js';
import { countedIn, fieldIs, hasItems, onPage } from '../cases.js';
import { type Check, must } from '../check.js';
import { rowsOfRepo, sampledList } from '../list-needs.js';
import { both, derived, mapped, nothing } from '../need.js';
import { response, responses } from '../request-needs.js';
import { listRequest } from '../requests.js';
import { prsByEachStatus, selectivePrFilter, statusOf } from './prs-by-status.js';

/** A response, the number of pull requests that it should count, and where that number comes from. */
type CountedPrs = Readonly<{ exchange: Exchange; count: number; why: string }>;

/** status filters before counting and paging (contract, section 4.4, rule 2). */
export const prCountChecks: readonly Check[] = [
  must(
    'prs.filtered-totals',
    '4.4 rule 2',
    'prs: totalItems counts the pull requests that match status',
    prsByEachStatus,
    ({ all, status, found }) => {
      const matching = all.rows.filter(({ value }) => statusOf(value) === status).length;
      return matching === all.rows.length
        ? []
        : found.pages.map((page) => fieldIs(page, 'totalItems', matching, countedIn(all.first)));
    },
    'pull requests that differ in status',
  ),
  must(
    'prs.filter-before-paging',
    '4.4 rule 2',
    'prs: pages are cut from the pull requests that match status, so that only the last is not full',
    derived(prsByEachStatus, ({ all, query, status, found: { rows } }) => {
      const limit = Math.min(maxLimit, Math.ceil(rows.length / 2));
      const request = listRequest('prs', { ...query, status, page: 1, limit });
      const isSelective = rows.length > 1 && rows.length < all.rows.length;
      return mapped(responses(isSelective ? [request] : []), (exchange) => ({ exchange, limit }));
    }),
    ({ exchange, limit }) => onPage(exchange, (page) => hasItems(page, limit)),
    'two pull requests of one status, and one of another',
  ),
  must(
    'prs.repo-id-and-status',
    '4.4 rule 2',
    'prs: with repoId and status, totalItems counts the pull requests that match both',
    derived(sampledList('prs'), (all) => {
      const filter = selectivePrFilter(all);
      if (filter === undefined) return nothing<CountedPrs>();
      const request = listRequest('prs', { ...filter, page: 1, limit: maxLimit });
      return mapped(
        both(rowsOfRepo('prs', filter.repoId), response(request)),
        ([{ rows, first }, exchange]) => ({
          exchange,
          count: rows.filter(({ value }) => statusOf(value) === filter.status).length,
          why: countedIn(first),
        }),
      );
    }),
    ({ exchange, count, why }) => onPage(exchange, (page) => fieldIs(page, 'totalItems', count, why)),
    'a repository with pull requests of different status, and another one',
  ),
];
