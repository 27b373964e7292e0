import { textOf } from '../../common/json.js';
import { groupBy } from '../../common/sort-and-group.js';
import { PrStatus, prStatusOf } from '../../contract/enums.js';
import { maxLimit } from '../../contract/page-and-limit.js';
import {
  agrees,
  areAmong,
  asIn,
  type Case,
  type Check,
  checksOf,
  countedIn,
  fieldIs,
  hasItems,
  hasSameItems,
  isEmptyPage,
  itemValues,
  judgeEach,
  onPage,
  wrongField,
} from '../check.js';
import {
  type Exchange,
  filtersBy,
  type ListName,
  listNames,
  listRequest,
  lists,
  type Page,
  type QueryValues,
  unknownRepoId,
} from '../exchange.js';
import { all, allThatFit, orElse } from '../not-exercised.js';
import { idsIn, isRow, type ListItem, type Located } from '../rows.js';
import { type List, repoIdsByRows, type Server } from '../server.js';
import { inexactIds, oddIds } from './resource-checks.js';

/** Some repositories with few rows, not all of the list: only these show whether repoId has an effect. */
const partialRepos = ({ rows }: List): readonly string[] =>
  repoIdsByRows(rows)
    .filter((id) => rows.some(({ value }) => value.repoId !== id))
    .slice(0, 3);

/** Ids that are not quite this one, patterns that find it, and a list that has it. */
const variants = (id: string) => [...inexactIds(id), `${id}%`, `${id.slice(0, 3)}*`, `${id},${id}`];

/** A repository, what its id finds in a list, and the first response; `found` is null if that is no page. */
type FoundByRepo = Readonly<{ all: List; repoId: string; exchange: Exchange; found: List | null }>;

const eachPartialRepo = async (server: Server, name: ListName): Promise<readonly FoundByRepo[]> => {
  const whole = await server.sample(name);
  const found = partialRepos(whole).map(async (repoId) => ({
    all: whole,
    repoId,
    exchange: await server.response(listRequest(name, { repoId, page: 1, limit: maxLimit })),
    found: await orElse(server.sample(name, { query: { repoId } }), null),
  }));
  return all(found);
};

const hasRowsOfRepo = ({ all, repoId, exchange, found }: FoundByRepo): readonly Case[] => {
  if (found === null) return onPage(exchange, () => []);
  const expected = all.rows.filter(({ value }) => value.repoId === repoId);
  const areFound = areAmong(expected, found.rows, 'to be found', asIn(found.first));
  // What holds although only a part of the list is known: its rows are found, and no others.
  if (!all.isWhole)
    return [...found.rows.map((row) => fieldIs(row, 'repoId', repoId)), ...(found.isWhole ? areFound : [])];
  const [page] = found.pages;
  return [
    ...areAmong(found.rows, expected, 'a row of this repository', asIn(all.first)),
    ...areFound,
    ...(page ? [fieldIs(page, 'totalItems', expected.length, countedIn(all.first))] : []),
  ];
};

/** The filter by repository (contract, sections 4.2 and 4.4). */
const repoIdChecks: readonly Check[] = listNames.flatMap((name) => {
  const { must } = checksOf(name);
  const { section } = lists[name];
  const otherFilters = name === 'findings' ? { severity: 'high', status: 'pending' } : { status: 'open' };
  const also = `also with ${Object.keys(otherFilters).join(', ')}, page and limit`;
  return [
    must.requiring(`two repositories with ${name}`)(
      `repo-id (${section}): repoId selects the rows of that repository, and the totals count them`,
    )(async (server) => (await eachPartialRepo(server, name)).flatMap(hasRowsOfRepo)),
    must(
      `repo-id-unknown (${section}, 7 note 2): a repoId that does not belong to the caller gives an empty page, not an error, ${also}`,
    )(
      judgeEach(
        [
          listRequest(name, { repoId: unknownRepoId }),
          listRequest(name, { repoId: unknownRepoId, ...otherFilters, page: 1, limit: maxLimit }),
        ],
        isEmptyPage,
      ),
    ),
    must.requiring(`two repositories with ${name}`)(
      `repo-id-exact (${section}): repoId matches the whole id exactly`,
    )(async (server) => {
      const ids = new Set(['', ...idsIn(await server.repos())]);
      const requests = partialRepos(await server.sample(name))
        .slice(0, 1)
        .flatMap(variants)
        .flatMap((repoId) => (ids.has(repoId) ? [] : listRequest(name, { repoId })));
      return (await server.responses(requests)).flatMap(isEmptyPage);
    }),
    must(
      `repo-id-odd (2, ${section}, 7 note 2): a repoId of any form that does not exist gives an empty page, not an error`,
      'Section 2: identifiers are opaque strings, so that an id of any form is one that does not exist. Section 7, note ' +
        '2: it never produces an error.',
    )(
      judgeEach(
        oddIds.slice(0, 2).map((repoId) => listRequest(name, { repoId })),
        isEmptyPage,
      ),
    ),
    must.requiring(`one of ${name}`)(
      `repo-connected (${name === 'findings' ? '2.2' : '2.3'}; unlisted-repo): repoId is the id of a connected repository`,
      'Section 2 says that repoId is a connected-repo id, and section 4.1 that listConnectedRepos lists every connected ' +
        'repository.',
    )(async (server) => {
      const ids = new Set((await server.repos()).map(({ value }) => value.id));
      return (await server.sample(name)).rows.map((row) =>
        ids.has(row.value.repoId) ? null : wrongField(row, 'repoId', 'the id of one of the repositories'),
      );
    }),
  ];
});

/** The status by which a pull request is found (contract, section 3.2). */
const filterStatus = ({ prState }: ListItem): PrStatus | null =>
  prState === null || typeof prState === 'string' ? prStatusOf(prState) : null;

/** Whether a row has what a filter asks for. Pull requests have their status by their state. */
export const hasFilterValue = (row: ListItem, name: string, value: unknown): boolean =>
  ('prState' in row && name === 'status' ? filterStatus(row) : row[name]) === value;

export const matches = (row: ListItem, filter: QueryValues): boolean =>
  Object.entries(filter).every(([name, value]) => hasFilterValue(row, name, value));

/** A page without a filter, its items that match one, and the response to the same request with it. */
type Filtered = Readonly<{ plain: Page; expected: readonly unknown[]; exchange: Exchange }>;

const filteredPages = async (
  server: Server,
  query: QueryValues,
  filters: readonly QueryValues[],
): Promise<readonly Filtered[]> => {
  const plain = await server.page(listRequest('findings', query));
  const filtered = filters.map((filter) => ({
    plain,
    filter,
    expected: itemValues(plain).filter((value) => isRow(value) && matches(value, filter)),
  }));
  return server.withResponses(filtered, ({ filter }) => listRequest('findings', { ...filter, ...query }));
};

/** The first page of the largest size, without and with each of the filters that suit the list. */
const firstPages = async (server: Server, filtersFor: (all: List) => readonly QueryValues[]) =>
  filteredPages(server, { page: 1, limit: maxLimit }, filtersFor(await server.sample('findings')));

/** The items are those that match, in the same order. Only a filter that removes some of them shows it. */
const hasMatchingItems = ({ plain, expected, exchange }: Filtered): readonly Case[] =>
  onPage(exchange, (filtered) => {
    const difference = hasSameItems(filtered, expected, asIn(plain.request));
    return difference === null && expected.length === plain.items.length ? [] : difference;
  });

/** The totals are those of the unfiltered page. Only a filter that removes some items shows it. */
const hasSameTotals = ({ plain, expected, exchange }: Filtered): readonly Case[] =>
  onPage(exchange, (filtered) =>
    expected.length === plain.items.length ? [] : agrees(filtered, plain, ['totalItems', 'totalPages']),
  );

/** A filter by both severity and status that the first of these findings matches. */
const byBoth = ([first]: readonly Located[]): readonly QueryValues[] => {
  const severity = first && textOf(first.value, 'severity');
  const status = first && textOf(first.value, 'status');
  return severity && status ? [{ severity, status }] : [];
};

/**
 * Two small pages, without and with filters that match on the first page and after it: there, filtering a
 * page differs from dividing a filtered list into pages.
 */
const smallPages = async (server: Server): Promise<readonly Filtered[]> => {
  const { rows } = await server.sample('findings');
  const limit = Math.max(1, Math.min(maxLimit / 2, Math.floor(rows.length / 2)));
  const isTelling = (filter: QueryValues): boolean => {
    const hits = rows.map(({ value }) => matches(value, filter));
    return hits.slice(0, limit).includes(false) && hits.slice(limit).includes(true);
  };
  const filters = (['severity', 'status'] as const).flatMap((field) =>
    filtersBy('findings', field).filter(isTelling).slice(0, 1),
  );
  return (await all([1, 2].map((number) => filteredPages(server, { page: number, limit }, filters)))).flat();
};

const isMixed = (rows: readonly Located[]): boolean =>
  ['severity', 'status'].every((field) => new Set(rows.map(({ value }) => value[field])).size > 1);

/** A repository with mixed findings, without and with each severity, each status, and both. */
const mixedRepo = async (server: Server): Promise<readonly Filtered[]> => {
  const { rows } = await server.sample('findings');
  const mixed = Array.from(groupBy(rows, ({ value }) => textOf(value, 'repoId'))).filter(
    ([id, found]) => id && isMixed(found),
  );
  const [repoId, findings = []] =
    mixed.find(([, found]) => found.length <= maxLimit && found.length < rows.length) ?? mixed[0] ?? [];
  const filters = [...filtersBy('findings'), ...byBoth(findings)];
  return repoId ? filteredPages(server, { repoId, page: 1, limit: maxLimit }, filters) : [];
};

const differing = 'findings of different severity and status';
const keep = 'keep the items of the page that match, and do not change the totals of that repository';
const findings = checksOf('findings', differing);

/** severity and status filter the items of the page and change nothing else (contract, section 4.2). */
const findingFilterChecks: readonly Check[] = [
  ...(['severity', 'status'] as const).map((field) =>
    findings.must(`${field} (4.2 rule 2): ${field} keeps the items of the page that have it`)(
      async (server) =>
        (await firstPages(server, () => filtersBy('findings', field))).flatMap(hasMatchingItems),
    ),
  ),
  findings.must(
    'severity-and-status (4.2 rule 2): severity and status together keep the items that have both',
  )(async (server) => (await firstPages(server, ({ rows }) => byBoth(rows))).flatMap(hasMatchingItems)),
  findings.must('filtered-totals (4.2 rule 2): severity and status change neither totalItems nor totalPages')(
    async (server) => {
      const pages = await firstPages(server, ({ rows }) => [...filtersBy('findings'), ...byBoth(rows)]);
      return pages.flatMap(hasSameTotals);
    },
  ),
  findings.must.requiring(`${differing} on more than one page`)(
    'filter-after-paging (4.2 rule 2): with severity or status, every page is cut first and filtered afterwards',
  )(async (server) => (await smallPages(server)).flatMap(hasMatchingItems)),
  findings.must.requiring(`a repository with ${differing}`)(
    `repo-id-and-filter (4.2 rule 2): with repoId, severity and status, alone and together, ${keep}`,
  )(async (server) =>
    (await mixedRepo(server)).flatMap((filtered) => [
      ...hasMatchingItems(filtered),
      ...hasSameTotals(filtered),
    ]),
  ),
];

/** All pull requests, and those that are found by one status. */
type PrsByStatus = Readonly<{ all: List; query: QueryValues; status: string; found: List }>;

/** Of a large list, those of some repositories: `repoId` narrows both sides alike. */
const prsByStatus = async (server: Server, status: string): Promise<readonly PrsByStatus[]> =>
  allThatFit(
    (await server.smallQueries('prs')).map(async (query) => ({
      all: await server.list('prs', { query }),
      query,
      status,
      found: await server.list('prs', { query: { ...query, status } }),
    })),
  );

/** The same, but of a large list a part of either side. It shows what a status finds that it should not. */
const sampledPrsByStatus = async (server: Server, status: string): Promise<readonly PrsByStatus[]> => {
  const whole = await server.sample('prs');
  return whole.isWhole
    ? prsByStatus(server, status)
    : [{ all: whole, query: {}, status, found: await server.sample('prs', { query: { status } }) }];
};

const byEachStatus = async (server: Server, fetch: typeof prsByStatus): Promise<readonly PrsByStatus[]> =>
  (await all(Object.keys(PrStatus.keys).map((status) => fetch(server, status)))).flat();

/** A repository and a status, each of which finds more pull requests alone than both find together. */
export const selectivePrFilter = async (server: Server) => {
  const { rows } = await server.sample('prs');
  const filters = rows.flatMap(({ value }) => {
    const [repoId, status] = [textOf(value, 'repoId'), filterStatus(value)];
    return repoId === undefined || status === null ? [] : [{ repoId, status }];
  });
  return filters.find(
    ({ repoId, status }) =>
      rows.some(({ value }) => value.repoId === repoId && filterStatus(value) !== status) &&
      rows.some(({ value }) => value.repoId !== repoId && filterStatus(value) === status),
  );
};

const prs = checksOf('prs');

/** A status finds all pull requests of a state that maps to it. */
const finds = (status: PrStatus, state: string | null): Check => {
  const whose = `whose prState is ${JSON.stringify(state)}`;
  return prs.must.requiring(`a pull request ${whose}`)(
    `status.${status}.finds-${state ?? 'null'} (3.2): status=${status} finds pull requests ${whose}`,
  )(async (server) =>
    (await prsByStatus(server, status)).flatMap(({ all, found }) => {
      const expected = all.rows.filter(({ value }) => value.prState === state);
      return areAmong(expected, found.rows, 'to be found', asIn(found.first));
    }),
  );
};

const mapsTo = (status: string, row: Located, isRight: boolean): Case =>
  isRight ? null : wrongField(row, 'prState', `a state that maps to ${status}`);

/** A status finds no others. Free-form states are left to a check of their own. */
const findsOnly = (status: PrStatus): Check =>
  prs.must.requiring(`a pull request that is ${status}, and one that is not`)(
    `status.${status}.only (3.2): status=${status} finds none whose prState maps to another status`,
  )(async (server) =>
    (await sampledPrsByStatus(server, status)).flatMap(({ all, found }) => {
      const isOther = ({ value }: Located) => ![null, status].includes(filterStatus(value));
      return all.rows.some(isOther) ? found.rows.map((row) => mapsTo(status, row, !isOther(row))) : [];
    }),
  );

/** Which stored states each status finds (contract, section 3.2). */
const prStatusChecks: readonly Check[] = [
  finds('open', 'open'),
  findsOnly('open'),
  finds('merged', 'merged'),
  findsOnly('merged'),
  finds('closed', null),
  finds('closed', 'closed'),
  finds('closed', 'cancelled'),
  findsOnly('closed'),
  prs.must.requiring('a pull request whose prState maps to no status')(
    'status.other-states (3.2): a prState that maps to no status is found by none; letter case matters',
  )(async (server) =>
    (await byEachStatus(server, sampledPrsByStatus)).flatMap(({ all, status, found }) => {
      if (all.rows.every(({ value }) => filterStatus(value) !== null)) return [];
      return [null, ...found.rows.map((row) => mapsTo(status, row, filterStatus(row.value) !== null))];
    }),
  ),
];

/** status filters before counting and paging (contract, section 4.4, rule 2). */
const prCountChecks: readonly Check[] = [
  prs.must.requiring('pull requests that differ in status')(
    'filtered-totals (4.4 rule 2): totalItems counts the pull requests that match status',
  )(async (server) =>
    (await byEachStatus(server, prsByStatus)).flatMap(({ all, status, found }) => {
      const matching = all.rows.filter(({ value }) => filterStatus(value) === status).length;
      return matching === all.rows.length
        ? []
        : found.pages.map((page) => fieldIs(page, 'totalItems', matching, countedIn(all.first)));
    }),
  ),
  prs.must.requiring('two pull requests of one status, and one of another')(
    'filter-before-paging (4.4 rule 2): pages are cut from the pull requests that match status, so that only the last is not full',
  )(async (server) => {
    const found = await byEachStatus(server, prsByStatus);
    const selective = found.flatMap(({ all, query, status, found: { rows } }) => {
      const limit = Math.min(maxLimit, Math.ceil(rows.length / 2));
      return rows.length > 1 && rows.length < all.rows.length ? [{ query, status, limit }] : [];
    });
    const cutAgain = await server.withResponses(selective, ({ query, status, limit }) =>
      listRequest('prs', { ...query, status, page: 1, limit }),
    );
    return cutAgain.flatMap(({ exchange, limit }) => onPage(exchange, (page) => hasItems(page, limit)));
  }),
  prs.must.requiring('a repository with pull requests of different status, and another one')(
    'repo-id-and-status (4.4 rule 2): with repoId and status, totalItems counts the pull requests that match both',
  )(async (server) => {
    const filter = await selectivePrFilter(server);
    if (filter === undefined) return [];
    const { rows, first } = await server.rowsOfRepo('prs', filter.repoId);
    const count = rows.filter(({ value }) => filterStatus(value) === filter.status).length;
    const exchange = await server.response(listRequest('prs', { ...filter, page: 1, limit: maxLimit }));
    return onPage(exchange, (page) => fieldIs(page, 'totalItems', count, countedIn(first)));
  }),
];

export const filterChecks: readonly Check[] = [
  ...repoIdChecks,
  ...findingFilterChecks,
  ...prStatusChecks,
  ...prCountChecks,
];
