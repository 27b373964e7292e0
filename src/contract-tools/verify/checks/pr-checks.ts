import { PrStatus, prStatusOf } from '../../../contract/enums.js';
import { maxLimit } from '../../../contract/page-and-limit.js';
import {
  areAmong,
  asIn,
  because,
  type Case,
  type Check,
  countedIn,
  fieldIs,
  hasItems,
  must,
  onPage,
  violation,
} from '../check.js';
import { type List, list, rowsOfRepo, sampledList, smallQueries, smallQuery } from '../list-needs.js';
import { both, derived, eachOf, mapped, type Need, nothing, split } from '../need.js';
import { type Exchange, listRequest, type QueryValues, repos, response, responses } from '../requests.js';
import { isRow, type Located, type Row, stringField } from '../rows.js';

/** The status by which a pull request is found (contract, section 3.2). */
export const statusOf = ({ prState }: Row): PrStatus | null =>
  prState === null || typeof prState === 'string' ? prStatusOf(prState) : null;

/** All pull requests, and those that are found by one status. */
type PrsByStatus = Readonly<{ all: List; query: QueryValues; status: string; found: List }>;

/** Of a large list, those of a repository: `repoId` narrows both sides alike. */
const prsByStatus = (status: string): Need<PrsByStatus> =>
  derived(smallQueries('prs'), (query) =>
    mapped(both(list('prs', { query }), list('prs', { query: { ...query, status } })), ([all, found]) => ({
      all,
      query,
      status,
      found,
    })),
  );

/** The same for each status, each judged on its own. */
const prsByEachStatus: Need<PrsByStatus> = eachOf(Object.keys(PrStatus.keys).map(prsByStatus));

/** The same, but of a large list a part of either side. It shows what a status finds that it should not. */
const sampledPrsByStatus = (status: string): Need<PrsByStatus> =>
  derived(sampledList('prs'), (all) =>
    all.isWhole
      ? prsByStatus(status)
      : mapped(sampledList('prs', { query: { status } }), (found) => ({ all, query: {}, status, found })),
  );

/** A repository and a status, each of which finds more pull requests alone than both find together. */
export const selectivePrFilter = ({ rows }: List): Readonly<{ repoId: string; status: string }> | undefined =>
  rows
    .flatMap(({ value }) => {
      const [repoId, status] = [stringField(value, 'repoId'), statusOf(value)];
      return repoId === null || status === null ? [] : [{ repoId, status }];
    })
    .find(
      ({ repoId, status }) =>
        rows.some(({ value }) => value.repoId === repoId && statusOf(value) !== status) &&
        rows.some(({ value }) => value.repoId !== repoId && statusOf(value) === status),
    );

/** A status finds all pull requests of a state that maps to it. */
const finds = (status: PrStatus, state: string | null): Check =>
  must(
    `prs.status.${status}.finds-${state ?? 'null'}`,
    '3.2',
    `prs: status=${status} finds those whose prState is ${JSON.stringify(state)}`,
    prsByStatus(status),
    ({ all, found }) =>
      areAmong(
        all.rows.filter(({ value }) => value.prState === state),
        found.rows,
        `to be found${asIn(found.first)}`,
      ),
    `a pull request whose prState is ${JSON.stringify(state)}`,
  );

/** A status finds no others. Free-form states are left to a check of their own. */
const findsOnly = (status: PrStatus): Check =>
  must(
    `prs.status.${status}.only`,
    '3.2',
    `prs: status=${status} finds none whose prState maps to another status`,
    sampledPrsByStatus(status),
    ({ all, found }) => {
      const isOther = ({ value }: Located) => statusOf(value) !== null && statusOf(value) !== status;
      return all.rows.some(isOther) ? found.rows.map((row) => mapsTo(status, row, !isOther(row))) : [];
    },
    `a pull request that is ${status}, and one that is not`,
  );

const mapsTo = (status: string, row: Located, isRight: boolean): Case =>
  isRight ? null : violation(row, `a state that maps to ${status}`, row.value.prState, 'prState');

/** Which stored states each status finds (contract, section 3.2). */
export const prStatusChecks: readonly Check[] = [
  finds('open', 'open'),
  findsOnly('open'),
  finds('merged', 'merged'),
  findsOnly('merged'),
  finds('closed', null),
  finds('closed', 'closed'),
  finds('closed', 'cancelled'),
  findsOnly('closed'),
  must(
    'prs.status.other-states',
    '3.2',
    'prs: a prState that maps to no status is found by none; letter case matters',
    eachOf(Object.keys(PrStatus.keys).map(sampledPrsByStatus)),
    ({ all, status, found }) => {
      if (all.rows.every(({ value }) => statusOf(value) !== null)) return [];
      return [null, ...found.rows.map((row) => mapsTo(status, row, statusOf(row.value) !== null))];
    },
    'a pull request whose prState maps to no status',
  ),
];

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

/** A pull request, and the row of another list that it refers to, if that list has it. */
type Reference = Readonly<{ pr: Located; target: Located | undefined }>;

const references = (
  prs: readonly Located[],
  rows: readonly Located[],
  field: 'id' | 'repoId',
): readonly Reference[] => {
  const byId = new Map(rows.map((row) => [row.value.id, row]));
  return prs.map((pr) => ({ pr, target: byId.get(pr.value[field]) }));
};

const referencesTo = (targets: Need<readonly Located[]>, field: 'id' | 'repoId'): Need<Reference> =>
  split(both(sampledList('prs'), targets), ([prs, rows]) => {
    return references(prs.rows, rows, field);
  });

/** Of large lists, those of one repository. */
const prsWithFinding: Need<Reference> = derived(smallQuery('findings'), (query) =>
  split(both(list('prs', { query }), list('findings', { query })), ([prs, findings]) =>
    references(prs.rows, findings.rows, 'id'),
  ),
);

const agreesWithFinding = (field: string): Check =>
  must(
    `prs.finding-${field}`,
    '2.2, 2.3',
    `prs: ${field} is that of the finding`,
    prsWithFinding,
    ({ pr, target }) =>
      target === undefined ? [] : fieldIs(pr, field, target.value[field], asIn(target.request)),
    'a pull request',
  );

/** How pull requests agree with findings and repositories (contract, sections 2.1 to 2.3). */
export const prChecks: readonly Check[] = [
  because(
    'Sections 2.2 and 2.3: the id of a finding and that of a pull request are both that of the fix draft. Every fix ' +
      'draft backs a finding, and no rule of section 4.2 hides one.',
    must(
      'prs.finding',
      '2.2, 2.3',
      'prs: id is the id of a finding',
      prsWithFinding,
      ({ pr, target }) =>
        target === undefined ? violation(pr, 'the id of one of the findings', pr.value.id, 'id') : null,
      'a pull request',
    ),
  ),
  agreesWithFinding('repoId'),
  agreesWithFinding('advisoryId'),
  agreesWithFinding('package'),
  must(
    'prs.repo-names',
    '2.1, 2.3',
    'prs: repo has the owner and the name of the repository',
    referencesTo(repos(), 'repoId'),
    ({ pr, target }) => {
      if (target === undefined || !isRow(pr.value.repo)) return [];
      const inner = { ...pr, value: pr.value.repo, path: [...pr.path, 'repo'] };
      return ['owner', 'repo'].map((field) =>
        fieldIs(inner, field, target.value[field], asIn(target.request)),
      );
    },
    'a pull request of a listed repository',
  ),
];
