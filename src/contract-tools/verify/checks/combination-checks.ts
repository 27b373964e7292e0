import type { ApiRequest } from '../../../client/outgoing-request.js';
import { canonicalJson } from '../../../common/json.js';
import { groupBy } from '../../../common/sort-and-group.js';
import { defaultLimit, defaultPage, maxLimit } from '../../../contract/page-and-limit.js';
import { type Check, checksOf, fieldIs, followingFrom, hasSameItems, onPage } from '../check.js';
import { coveringSet, type List, sampledList } from '../lists.js';
import { derived, mapped, type Need, optional, together } from '../need.js';
import {
  type Exchange,
  type Factors,
  filterNames,
  type ListName,
  listNames,
  listRequest,
  lists,
  type Page,
  page,
  type QueryValues,
  withResponses,
} from '../requests.js';
import { contractFields, contractPart, integerField, isRow, type Row, stringField } from '../rows.js';
import { statusOf } from './filter-checks.js';

/** The filters that apply before a list is cut into pages: sections 4.2 (rule 2) and 4.4 (rule 2). */
const filtersBeforePaging: Readonly<Record<ListName, readonly string[]>> = {
  findings: ['repoId'],
  prs: ['repoId', 'status'],
};

const matchesAll = (name: ListName, row: Row, filter: QueryValues): boolean =>
  Object.entries(filter).every(
    ([field, value]) => (name === 'prs' && field === 'status' ? statusOf(row) : row[field]) === value,
  );

/** The rows of a list by their position. A position that was not fetched, or has no object, has none. */
type KnownRows = Readonly<{
  rows: readonly (Row | undefined)[];
  totalItems: number;
  /** Whether the row of every position is known. */
  isComplete: boolean;
}>;

/** What the pages of a list tell about its rows, whichever pages were fetched. */
export const knownRows = (pages: readonly Page[]): KnownRows => {
  const rows: (Row | undefined)[] = [];
  for (const { request, items } of pages) {
    const query = new Map(request.query);
    const start = (Number(query.get('page')) - 1) * Number(query.get('limit'));
    items.forEach(({ value }, index) => {
      if (isRow(value)) rows[start + index] = contractFields(value);
    });
  }
  // Without a total that can be used, an empty page tells that there are no further rows.
  const isEnded = pages.at(-1)?.items.length === 0;
  const total = integerField(pages[0]?.value ?? {}, 'totalItems') ?? (isEnded ? rows.length : 0);
  const totalItems = Math.max(0, total);
  const known = rows.filter((row) => row !== undefined).length;
  return { rows, totalItems, isComplete: rows.length === totalItems && known === totalItems };
};

/** Rows that are known completely, as such. */
export const completeRows = (rows: readonly Row[]): KnownRows => ({
  rows,
  totalItems: rows.length,
  isComplete: true,
});

/** The rows of a page; null if not all of them are known, or the page is beyond the last. */
export const knownPage = (
  { rows, totalItems }: KnownRows,
  page: number,
  limit: number,
): readonly Row[] | null => {
  const start = (page - 1) * limit;
  if (page > 1 && start >= totalItems) return null;
  const end = Math.min(start + limit, totalItems);
  const found = rows.slice(start, end).filter((row) => row !== undefined);
  return found.length === end - start ? found : null;
};

/** The most rows that a repository should have, so that its lists take few requests. */
const maxRows = 3 * maxLimit;

/** Two repositories, if there are: one with many rows, and one with few that are not all alike. */
const twoRepos = (rows: readonly (Row | undefined)[]): readonly Readonly<{ id: string; size: number }>[] => {
  const byRepo = groupBy(
    rows.filter((row) => row !== undefined),
    (row) => stringField(row, 'repoId'),
  );
  const bySize = Array.from(byRepo)
    .flatMap(([id, { length: size }]) =>
      id && size > 1 && size <= maxRows && byRepo.size > 1 ? [{ id, size }] : [],
    )
    .sort((left, right) => right.size - left.size);
  const small = bySize.findLast(({ size }) => size > 5) ?? bySize.at(-1);
  return [...new Set([...bySize.slice(0, 1), ...(small === undefined ? [] : [small])])];
};

/** The pages that are asked for besides the first one, which is the default. */
const laterPages = [2, 3];

const factorsOf = (name: ListName, rows: readonly (Row | undefined)[]): Factors => {
  const repos = twoRepos(rows);
  const smallest = repos.at(-1)?.size ?? rows.length;
  return {
    repoId: repos.map(({ id }) => id),
    ...lists[name].filters,
    page: laterPages,
    limit: [Math.max(1, Math.min(7, Math.floor(smallest / 3))), maxLimit],
  };
};

/** Every combination of values, each parameter being absent in some. */
const product = (factors: Factors): readonly QueryValues[] =>
  Object.entries(factors).reduce<readonly QueryValues[]>(
    (queries, [name, values]) =>
      queries.flatMap((query) => [query, ...values.map((value) => ({ ...query, [name]: value }))]),
    [{}],
  );

const pick = <A>(
  values: Readonly<Record<string, A>>,
  names: readonly string[],
): Readonly<Record<string, A>> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));

/**
 * The rows of a filtered list. If they are those that follow from the whole list, they are in the order in
 * which the server sends them: the contract does not say that a filter keeps the order.
 */
const filteredRows = (
  name: ListName,
  all: KnownRows,
  filter: QueryValues,
  found: readonly Page[] | null,
): KnownRows => {
  const own = found === null ? null : knownRows(found);
  if (!all.isComplete) return own ?? { rows: [], totalItems: 0, isComplete: false };
  const expected = all.rows.flatMap((row) => (row && matchesAll(name, row, filter) ? [row] : []));
  const text = (rows: readonly unknown[]): string => rows.map(canonicalJson).sort().join();
  return own?.isComplete === true && text(own.rows) === text(expected) ? own : completeRows(expected);
};

/** The pages of a filtered list; of a large one the first, which combinations request. */
const pagesBy = (name: ListName, query: QueryValues, isWhole: boolean): Need<readonly Page[]> => {
  if (isWhole) return mapped(sampledList(name, { query }), ({ pages }) => pages);
  const numbered = (number: number): Need<Page> =>
    page(listRequest(name, { ...query, page: number, limit: maxLimit }));
  return derived(numbered(1), ({ value }) => {
    const count = Math.ceil((integerField(value, 'totalItems') ?? 0) / maxLimit);
    return together([1, ...laterPages.filter((number) => number <= count)].map(numbered));
  });
};

/** The page that a request should return. */
type Expected = Readonly<{ items: readonly Row[]; totalItems: number; totalPages: number }>;

/** What a request should return; null where the contract does not say, or not enough rows are known. */
type Expectation = (query: QueryValues) => Expected | null;

/** What requests with these values of the parameters of a list should return. */
const expectedPages = (name: ListName, all: List, factors: Factors): Need<Expectation> => {
  const before = filtersBeforePaging[name];
  const known = knownRows(all.pages);
  const filters = product(pick(factors, before)).filter((filter) => Object.keys(filter).length > 0);
  const bases = filters.map((filter) =>
    mapped(optional(pagesBy(name, filter, all.isWhole), null), (found) => ({
      filter,
      rows: filteredRows(name, known, filter, found),
    })),
  );
  return mapped(together(bases), (filtered): Expectation => {
    const byFilter = new Map(
      [{ filter: {}, rows: known }, ...filtered].map(({ filter, rows }) => [canonicalJson(filter), rows]),
    );
    return (query) => {
      const base = byFilter.get(canonicalJson(pick(query, before)));
      const [page, limit] = [Number(query.page ?? defaultPage), Number(query.limit ?? defaultLimit)];
      const cut = base === undefined ? null : knownPage(base, page, limit);
      if (base === undefined || cut === null) return null;
      // Of a large list, the rows by a filter are what the server says they are: some may be wrong.
      const { page: _, limit: __, ...filter } = query;
      const items = cut.filter((row) => matchesAll(name, row, filter));
      return { items, totalItems: base.totalItems, totalPages: Math.ceil(base.totalItems / limit) };
    };
  });
};

/** A number for each row, the same for rows that are equal. */
const rowNumbers = (): ((row: Row) => number) => {
  const ofRow = new Map<Row, number>();
  const ofText = new Map<string, number>();
  return (row) => {
    const known = ofRow.get(row);
    if (known !== undefined) return known;
    const text = canonicalJson(row);
    const number = ofText.get(text) ?? ofText.size;
    ofText.set(text, number);
    ofRow.set(row, number);
    return number;
  };
};

/**
 * Requests in which every two values of two parameters occur together, absence being a value, too. Each of
 * the two has to have an effect that shows in the rows: without it, a mistake would go unnoticed.
 */
const pairwise = (factors: Factors, expected: Expectation): readonly QueryValues[] => {
  const names = Object.keys(factors);
  const queries = product(factors);
  const numberOf = rowNumbers();
  const keyOf = (query: QueryValues): string => names.map((name) => query[name] ?? '').join('&');
  /** Which rows each request should return, as text; null if that is not known. */
  const texts = new Map(
    queries.map((query) => {
      const found = expected(query);
      return [keyOf(query), found && `${found.totalItems}: ${found.items.map(numberOf).join()}`];
    }),
  );
  return coveringSet(queries, (query) => {
    const text = texts.get(keyOf(query));
    if (text === null) return [];
    const shown = names.filter(
      (name) => !(name in query) || texts.get(keyOf({ ...query, [name]: '' })) !== text,
    );
    return shown.flatMap((one, index) =>
      shown.slice(index + 1).map((other) => `${one}=${query[one]}&${other}=${query[other]}`),
    );
  });
};

/** A request with several parameters, what it should return, and from which request that follows. */
type Combination = Readonly<{ expected: Expected; source: ApiRequest; exchange: Exchange }>;

/** Requests in which every two values of two parameters of a list occur together (section 4.2 or 4.4). */
const combinations = (name: ListName): Need<Combination> =>
  derived(sampledList(name), (all) => {
    const factors = factorsOf(name, knownRows(all.pages).rows);
    return derived(expectedPages(name, all, factors), (expectedOf) =>
      withResponses(
        pairwise(factors, expectedOf).flatMap((query) => {
          const expected = expectedOf(query);
          return expected === null ? [] : [{ query, expected, source: all.first }];
        }),
        ({ query }) => listRequest(name, query),
      ),
    );
  });

/** Parameters of the lists in combination (contract, sections 4.2 and 4.4). */
export const combinationChecks: readonly Check[] = listNames.flatMap((name): readonly Check[] => {
  const { must } = checksOf(name, `more than one page of ${name} of different kinds`);
  const { section } = lists[name];
  const totals =
    name === 'findings'
      ? 'repoId and limit, and not on severity, status and page'
      : 'repoId, status and limit, and not on page';
  return [
    must(
      'combinations',
      section,
      `a request with any two of ${filterNames(name)}, page and limit returns the items that both select`,
    )(combinations(name), ({ expected, source, exchange }) =>
      onPage(exchange, (page) => hasSameItems(page, expected.items.map(contractPart), followingFrom(source))),
    ),
    must(
      'combinations-totals',
      `${section} rule 2`,
      `totalItems and totalPages depend on ${totals}; this holds for any two parameters together`,
    )(combinations(name), ({ expected: { totalItems, totalPages }, source, exchange }) =>
      onPage(exchange, (page) => [
        fieldIs(page, 'totalItems', totalItems, followingFrom(source)),
        // How many pages an empty list has is left open.
        ...(totalItems === 0 ? [] : [fieldIs(page, 'totalPages', totalPages, followingFrom(source))]),
      ]),
    ),
  ];
});
