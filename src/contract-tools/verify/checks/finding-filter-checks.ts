import { isJsonEqual } from '../../../common/json.js';
import { groupBy } from '../../../common/sort-and-group.js';
import { maxLimit } from '../../../contract/page-and-limit.js';
import type { Exchange } from '../caching-client.js';
import { asIn, fieldIs, itemValues, onPage, violation } from '../cases.js';
import { type Check, must } from '../check.js';
import { isRow, type Located, type Row, stringField } from '../json-rows.js';
import { type List, sampledList } from '../list-needs.js';
import { derived, eachOf, mapped, type Need, nothing } from '../need.js';
import { type Page, page, response } from '../request-needs.js';
import { findingStatusFilters, listRequest, type QueryValues, severityFilters } from '../requests.js';
import type { Case } from '../verdict.js';

const matches = (row: Row, filter: QueryValues): boolean =>
  Object.entries(filter).every(([name, value]) => row[name] === value);

/** A page without a filter, and the response to the same request with one. */
type Filtered = Readonly<{ plain: Page; filter: QueryValues; exchange: Exchange }>;

const filteredPages = (query: QueryValues, filters: readonly QueryValues[]): Need<Filtered> =>
  derived(page(listRequest('findings', query)), (plain) =>
    eachOf(
      filters.map((filter) =>
        mapped(response(listRequest('findings', { ...filter, ...query })), (exchange) => ({
          plain,
          filter,
          exchange,
        })),
      ),
    ),
  );

/** The first page of the largest size, without and with each of the filters that suit the list. */
const firstPages = (filtersFor: (all: List) => readonly QueryValues[]): Need<Filtered> =>
  derived(sampledList('findings'), (all) => filteredPages({ page: 1, limit: maxLimit }, filtersFor(all)));

const matchingItems = (plain: Page, filter: QueryValues): readonly unknown[] =>
  itemValues(plain).filter((value) => isRow(value) && matches(value, filter));

/**
 * The items are those of the unfiltered page that match. Only a filter that removes some of them shows it.
 */
const hasMatchingItems = ({ plain, filter, exchange }: Filtered): readonly Case[] =>
  onPage(exchange, (filtered) => {
    const expected = matchingItems(plain, filter);
    if (isJsonEqual(itemValues(filtered), expected)) return expected.length < plain.items.length ? null : [];
    return violation(
      filtered,
      `the ${expected.length} matching items${asIn(plain.request)}, in the same order`,
      itemValues(filtered).map((value) => (isRow(value) ? value.id : value)),
      'items',
    );
  });

/** The totals are those of the unfiltered page. Only a filter that removes some items shows it. */
const hasSameTotals = ({ plain, filter, exchange }: Filtered): readonly Case[] =>
  onPage(exchange, (filtered) =>
    matchingItems(plain, filter).length === plain.items.length
      ? []
      : ['totalItems', 'totalPages'].map((field) =>
          fieldIs(filtered, field, plain.value[field], asIn(plain.request)),
        ),
  );

/** A filter by both severity and status that the first of these findings matches. */
const byBoth = ([first]: readonly Located[]): readonly QueryValues[] => {
  const severity = first && stringField(first.value, 'severity');
  const status = first && stringField(first.value, 'status');
  return severity && status ? [{ severity, status }] : [];
};

/**
 * Two small pages, without and with filters that match on the first page and after it: there, filtering a
 * page differs from dividing a filtered list into pages.
 */
const smallPages: Need<Filtered> = derived(sampledList('findings'), ({ rows }) => {
  const limit = Math.max(1, Math.min(maxLimit / 2, Math.floor(rows.length / 2)));
  const isTelling = (filter: QueryValues): boolean => {
    const hits = rows.map(({ value }) => matches(value, filter));
    return hits.slice(0, limit).includes(false) && hits.slice(limit).includes(true);
  };
  const filters = [severityFilters, findingStatusFilters].flatMap((all) => all.filter(isTelling).slice(0, 1));
  return eachOf([1, 2].map((number) => filteredPages({ page: number, limit }, filters)));
});

const valuesOf = (rows: readonly Located[], field: string): number =>
  new Set(rows.map(({ value }) => value[field])).size;

/**
 * The findings of a repository that has findings of different severity and status, without and with each
 * severity, each status, and both.
 */
const mixedRepo: Need<Filtered> = derived(sampledList('findings'), ({ rows }) => {
  const byRepo = Array.from(groupBy(rows, ({ value }) => stringField(value, 'repoId')));
  const [repoId, findings = []] =
    byRepo.find(
      ([id, found]) => id && found.length <= maxLimit && isMixed(found) && found.length < rows.length,
    ) ??
    byRepo.find(([id, found]) => id && isMixed(found)) ??
    [];
  return repoId
    ? filteredPages({ repoId, page: 1, limit: maxLimit }, [
        ...severityFilters,
        ...findingStatusFilters,
        ...byBoth(findings),
      ])
    : nothing();
});

const isMixed = (rows: readonly Located[]): boolean =>
  valuesOf(rows, 'severity') > 1 && valuesOf(rows, 'status') > 1;

const prerequisite = 'findings of different severity and status';

/** severity and status filter the items of the page and change nothing else (contract, section 4.2). */
export const findingFilterChecks: readonly Check[] = [
  must(
    'findings.severity',
    '4.2 rule 2',
    'findings: severity keeps the items of the page that have it',
    firstPages(() => severityFilters),
    hasMatchingItems,
    prerequisite,
  ),
  must(
    'findings.status',
    '4.2 rule 2',
    'findings: status keeps the items of the page that have it',
    firstPages(() => findingStatusFilters),
    hasMatchingItems,
    prerequisite,
  ),
  must(
    'findings.severity-and-status',
    '4.2 rule 2',
    'findings: severity and status together keep the items that have both',
    firstPages(({ rows }) => byBoth(rows)),
    hasMatchingItems,
    prerequisite,
  ),
  must(
    'findings.filtered-totals',
    '4.2 rule 2',
    'findings: severity and status change neither totalItems nor totalPages',
    firstPages(({ rows }) => [...severityFilters, ...findingStatusFilters, ...byBoth(rows)]),
    hasSameTotals,
    prerequisite,
  ),
  must(
    'findings.filter-after-paging',
    '4.2 rule 2',
    'findings: with severity or status, every page is cut first and filtered afterwards',
    smallPages,
    hasMatchingItems,
    `${prerequisite} on more than one page`,
  ),
  must(
    'findings.repo-id-and-filter',
    '4.2 rule 2',
    'findings: with repoId, severity and status, alone and together, keep the items of the page that match, and do not change the totals of that repository',
    mixedRepo,
    (filtered) => [...hasMatchingItems(filtered), ...hasSameTotals(filtered)],
    'a repository with findings of different severity and status',
  ),
];
