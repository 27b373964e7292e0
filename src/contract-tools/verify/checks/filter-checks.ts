import { isJsonEqual } from '../../../common/json.js';
import { groupBy } from '../../../common/sort-and-group.js';
import { maxLimit } from '../../../contract/page-and-limit.js';
import {
  areAmong,
  asIn,
  because,
  type Case,
  type Check,
  countedIn,
  fieldIs,
  isEmptyPage,
  itemValues,
  must,
  onPage,
  violation,
} from '../check.js';
import { type List, repoIdsByRows, sampledList } from '../list-needs.js';
import { both, derived, eachOf, mapped, type Need, nothing, optional, split } from '../need.js';
import {
  type Exchange,
  findingStatusFilters,
  type ListName,
  listNames,
  listRequest,
  listSection,
  type Page,
  page,
  type QueryValues,
  repos,
  response,
  responses,
  severityFilters,
  unknownRepoId,
} from '../requests.js';
import { idsIn, isRow, type Located, type Row, stringField } from '../rows.js';
import { inexactIds, oddIds } from './detail-checks.js';

/** The number of repositories that are tried. */
const maxRepos = 3;

/**
 * Some repositories that have rows but not all of them, those with the fewest rows first: only these show
 * whether repoId has an effect.
 */
const partialRepos = ({ rows }: List): readonly string[] =>
  repoIdsByRows(rows)
    .filter((id) => rows.some(({ value }) => value.repoId !== id))
    .slice(0, maxRepos);

/** Ids that are not quite this one, a pattern that finds it, and a list that has it. */
const variants = (id: string): readonly string[] => [
  ...inexactIds(id),
  `${id}%`,
  `${id.slice(0, 3)}*`,
  `${id},${id}`,
];

/** The filters of each list besides repoId. */
const otherFilters: Readonly<Record<ListName, QueryValues>> = {
  findings: { severity: 'high', status: 'pending' },
  prs: { status: 'open' },
};

/** What holds although only a part of the list is known: its rows are found, and no others. */
const areOfRepo = (repoId: string, known: readonly Located[], found: List): readonly Case[] => [
  ...found.rows.map((row) => fieldIs(row, 'repoId', repoId)),
  ...(found.isWhole ? areAmong(known, found.rows, `to be found${asIn(found.first)}`) : []),
];

const repoIdChecksOf = (name: ListName): readonly Check[] => [
  must(
    `${name}.repo-id`,
    listSection[name],
    `${name}: repoId selects the rows of that repository, and the totals count them`,
    derived(
      split(sampledList(name), (all) => partialRepos(all).map((repoId) => ({ all, repoId }))),
      ({ all, repoId }) =>
        mapped(
          both(
            response(listRequest(name, { repoId, page: 1, limit: maxLimit })),
            optional(sampledList(name, { query: { repoId } }), null),
          ),
          ([exchange, found]) => ({ all, repoId, exchange, found }),
        ),
    ),
    ({ all, repoId, exchange, found }) => {
      if (found === null) return onPage(exchange, () => []);
      const expected = all.rows.filter(({ value }) => value.repoId === repoId);
      if (!all.isWhole) return areOfRepo(repoId, expected, found);
      return [
        ...areAmong(found.rows, expected, `a row of this repository${asIn(all.first)}`),
        ...areAmong(expected, found.rows, `to be found${asIn(found.first)}`),
        ...found.pages
          .slice(0, 1)
          .map((page) => fieldIs(page, 'totalItems', expected.length, countedIn(all.first))),
      ];
    },
    `two repositories with ${name}`,
  ),
  must(
    `${name}.repo-id-unknown`,
    `${listSection[name]}, 7 note 2`,
    `${name}: a repoId that does not belong to the caller gives an empty page, not an error, also with ${Object.keys(otherFilters[name]).join(', ')}, page and limit`,
    responses([
      listRequest(name, { repoId: unknownRepoId }),
      listRequest(name, { repoId: unknownRepoId, ...otherFilters[name], page: 1, limit: maxLimit }),
    ]),
    isEmptyPage,
  ),
  must(
    `${name}.repo-id-exact`,
    listSection[name],
    `${name}: repoId matches the whole id exactly`,
    derived(both(repos(), sampledList(name)), ([known, all]) => {
      const ids = new Set(idsIn(known));
      const others = partialRepos(all).slice(0, 1).flatMap(variants);
      return responses(
        others.filter((id) => id !== '' && !ids.has(id)).map((repoId) => listRequest(name, { repoId })),
      );
    }),
    isEmptyPage,
    `two repositories with ${name}`,
  ),
  because(
    'Section 2: identifiers are opaque strings, so that an id of any form is one that does not exist. Section 7, note ' +
      '2: it never produces an error.',
    must(
      `${name}.repo-id-odd`,
      `2, ${listSection[name]}, 7 note 2`,
      `${name}: a repoId of any form that does not exist gives an empty page, not an error`,
      responses(oddIds.slice(0, 2).map((repoId) => listRequest(name, { repoId }))),
      isEmptyPage,
    ),
  ),
  because(
    'Section 2 says that repoId is a connected-repo id, and section 4.1 that listConnectedRepos lists every connected ' +
      'repository.',
    must(
      `${name}.repo-connected`,
      name === 'findings' ? '2.2' : '2.3',
      `${name}: repoId is the id of a connected repository`,
      both(repos(), sampledList(name)),
      ([known, { rows }]) => {
        const ids = new Set(known.map(({ value }) => value.id));
        return rows.map((row) =>
          ids.has(row.value.repoId)
            ? null
            : violation(row, 'the id of one of the repositories', row.value.repoId, 'repoId'),
        );
      },
      `one of ${name}`,
    ),
  ),
];

/** The filter by repository (contract, sections 4.2 and 4.4). */
export const repoIdChecks: readonly Check[] = listNames.flatMap(repoIdChecksOf);

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
