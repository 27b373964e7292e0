import type { ApiRequest } from '../../../client/outgoing-request.js';
import { canonicalJson, isJsonEqual } from '../../../common/json.js';
import { groupBy } from '../../../common/sort-and-group.js';
import { FindingStatus, PrStatus, Severity } from '../../../contract/enums.js';
import { defaultLimit, defaultPage, maxLimit } from '../../../contract/page-and-limit.js';
import {
  type Case,
  type Check,
  fieldIs,
  followingFrom,
  itemValues,
  must,
  onPage,
  violation,
} from '../check.js';
import { coveringSet, type List, sampledList } from '../list-needs.js';
import { derived, eachOf, mapped, type Need, optional, together } from '../need.js';
import {
  type Exchange,
  type ListName,
  listRequest,
  listSection,
  type Page,
  page,
  type QueryValues,
  response,
} from '../requests.js';
import { contractFields, contractPart, integerField, isRow, type Row, stringField } from '../rows.js';
import { statusOf } from './pr-checks.js';

/** The values of each parameter, apart from its absence. */
type Factors = Readonly<Record<string, readonly (string | number)[]>>;

/** The filters of a list: those that apply before it is cut into pages, and those that apply afterwards. */
type Rules = Readonly<{
  before: readonly string[];
  after: readonly string[];
  factors: Factors;
  matches: (row: Row, name: string, value: unknown) => boolean;
}>;

/** Sections 4.2 (rule 2) and 4.4 (rule 2). */
const rules: Readonly<Record<ListName, Rules>> = {
  findings: {
    before: ['repoId'],
    after: ['severity', 'status'],
    factors: { severity: Object.keys(Severity.keys), status: Object.keys(FindingStatus.keys) },
    matches: (row, name, value) => row[name] === value,
  },
  prs: {
    before: ['repoId', 'status'],
    after: [],
    factors: { status: Object.keys(PrStatus.keys) },
    matches: (row, name, value) => (name === 'status' ? statusOf(row) : row[name]) === value,
  },
};

const matchesAll = ({ matches }: Rules, row: Row, filter: QueryValues): boolean =>
  Object.entries(filter).every(([name, value]) => matches(row, name, value));

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
  const totalItems = Math.max(0, integerField(pages[0]?.value ?? {}, 'totalItems') ?? 0);
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
  const repos = Array.from(byRepo).flatMap(([id, { length: size }]) =>
    id && size > 1 && size <= maxRows && byRepo.size > 1 ? [{ id, size }] : [],
  );
  const bySize = repos.sort((left, right) => right.size - left.size);
  const small = bySize.findLast(({ size }) => size > 5) ?? bySize.at(-1);
  return [...new Set([...bySize.slice(0, 1), ...(small === undefined ? [] : [small])])];
};

/** The pages that are asked for besides the first one. */
const laterPages = [2, 3];

/** Pages after the first one show more than the first one, which is the default. */
const factorsOf = ({ factors }: Rules, rows: readonly (Row | undefined)[]): Factors => {
  const repos = twoRepos(rows);
  const smallest = repos.at(-1)?.size ?? rows.length;
  return {
    repoId: repos.map(({ id }) => id),
    ...factors,
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

/** The page that a request should return. */
type Expected = Readonly<{ items: readonly Row[]; totalItems: number; totalPages: number }>;

/** What a request should return; null where the contract does not say, or not enough rows are known. */
type Expectation = (query: QueryValues) => Expected | null;

/** A list whose rows match a filter, in the order in which the server has them. */
type Base = Readonly<{ filter: QueryValues; rows: KnownRows }>;

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
  rule: Rules,
  all: KnownRows,
  filter: QueryValues,
  found: readonly Page[] | null,
): KnownRows => {
  const own = found === null ? null : knownRows(found);
  if (!all.isComplete) return own ?? { rows: [], totalItems: 0, isComplete: false };
  const expected = all.rows.flatMap((row) => (row && matchesAll(rule, row, filter) ? [row] : []));
  const isSame = own?.isComplete === true && haveSameRows(own.rows, expected);
  return isSame ? own : completeRows(expected);
};

const haveSameRows = (left: readonly unknown[], right: readonly unknown[]): boolean =>
  left.length === right.length &&
  left.map(canonicalJson).sort().join() === right.map(canonicalJson).sort().join();

const allPages = (name: ListName, query: QueryValues): Need<readonly Page[]> =>
  mapped(sampledList(name, { query }), ({ pages }) => pages);

/** Those of the first pages of a list that any combination requests, with the largest limit. */
const firstPages = (name: ListName, query: QueryValues): Need<readonly Page[]> => {
  const numbered = (number: number): Need<Page> =>
    page(listRequest(name, { ...query, page: number, limit: maxLimit }));
  return derived(numbered(1), ({ value }) => {
    const count = Math.ceil((integerField(value, 'totalItems') ?? 0) / maxLimit);
    return together([1, ...laterPages.filter((number) => number <= count)].map(numbered));
  });
};

/** The list itself, and its rows by each filter that applies before it is cut into pages. */
const basesOf = (name: ListName, all: List, factors: Factors): Need<readonly Base[]> => {
  const rule = rules[name];
  const known = knownRows(all.pages);
  const filters = product(pick(factors, rule.before)).filter((filter) => Object.keys(filter).length > 0);
  return together<Base>([
    mapped(sampledList(name), () => ({ filter: {}, rows: known })),
    ...filters.map((filter) =>
      mapped(optional(all.isWhole ? allPages(name, filter) : firstPages(name, filter), null), (found) => ({
        filter,
        rows: filteredRows(rule, known, filter, found),
      })),
    ),
  ]);
};

const expectation = (rule: Rules, bases: readonly Base[]): Expectation => {
  const byFilter = new Map(bases.map(({ filter, rows }) => [canonicalJson(filter), rows]));
  return (query) => {
    const base = byFilter.get(canonicalJson(pick(query, rule.before)));
    const [page, limit] = [Number(query.page ?? defaultPage), Number(query.limit ?? defaultLimit)];
    const cut = base === undefined ? null : knownPage(base, page, limit);
    if (base === undefined || cut === null) return null;
    // Of a large list, the rows by a filter are what the server says they are: some may be wrong.
    const filter = pick(query, [...rule.before, ...rule.after]);
    const items = cut.filter((row) => matchesAll(rule, row, filter));
    return { items, totalItems: base.totalItems, totalPages: Math.ceil(base.totalItems / limit) };
  };
};

/** What requests with these values of the parameters of a list should return. */
const expectedPages = (name: ListName, all: List, factors: Factors): Need<Expectation> =>
  mapped(basesOf(name, all, factors), (bases) => expectation(rules[name], bases));

const omit = (query: QueryValues, omitted: string): QueryValues =>
  Object.fromEntries(Object.entries(query).filter(([name]) => name !== omitted));

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
  const texts = new Map<string, string | null>();
  const numberOf = rowNumbers();
  /** Which rows a request should return, as text; null if that is not known. */
  const textOf = (query: QueryValues): string | null => {
    const key = names.map((name) => query[name] ?? '').join('&');
    const known = texts.get(key);
    if (known !== undefined) return known;
    const found = expected(query);
    const text = found === null ? null : `${found.totalItems}: ${found.items.map(numberOf).join()}`;
    texts.set(key, text);
    return text;
  };
  const goalsOf = (query: QueryValues): readonly string[] => {
    const text = textOf(query);
    if (text === null) return [];
    const shown = names.filter((name) => !(name in query) || textOf(omit(query, name)) !== text);
    return shown.flatMap((one, index) =>
      shown.slice(index + 1).map((other) => `${one}=${query[one]}&${other}=${query[other]}`),
    );
  };
  return coveringSet(product(factors), goalsOf);
};

/** A request with several parameters, what it should return, and what it does return. */
type Combination = Readonly<{
  query: QueryValues;
  expected: Expected;
  /** The request that what is expected follows from. */
  source: ApiRequest;
  exchange: Exchange;
}>;

/** Requests in which every two values of two parameters of a list occur together (section 4.2 or 4.4). */
const combinations = (name: ListName): Need<Combination> =>
  derived(sampledList(name), (all) => {
    const factors = factorsOf(rules[name], knownRows(all.pages).rows);
    return derived(expectedPages(name, all, factors), (expectedOf) =>
      eachOf(
        pairwise(factors, expectedOf).flatMap((query) => {
          const expected = expectedOf(query);
          return expected === null
            ? []
            : mapped(response(listRequest(name, query)), (exchange) => ({
                query,
                expected,
                source: all.first,
                exchange,
              }));
        }),
      ),
    );
  });

const hasItems = ({ expected, source, exchange }: Combination): readonly Case[] =>
  onPage(exchange, (page) =>
    isJsonEqual(itemValues(page), contractPart(expected.items))
      ? null
      : violation(
          page,
          `the ${expected.items.length} items ${ids(expected.items)}${followingFrom(source)}`,
          itemValues(page).map((value) => (isRow(value) ? value.id : value)),
          'items',
        ),
  );

const ids = (rows: Combination['expected']['items']): string => JSON.stringify(rows.map(({ id }) => id));

const hasTotals = ({ expected, source, exchange }: Combination): readonly Case[] =>
  onPage(exchange, (page) =>
    // How many pages an empty list has is left open.
    (expected.totalItems === 0 ? (['totalItems'] as const) : (['totalItems', 'totalPages'] as const)).map(
      (field) => fieldIs(page, field, expected[field], followingFrom(source)),
    ),
  );

const combinationChecksOf = (name: ListName, parameters: string, totals: string): readonly Check[] => [
  must(
    `${name}.combinations`,
    listSection[name],
    `${name}: a request with any two of ${parameters} returns the items that both select`,
    combinations(name),
    hasItems,
    `more than one page of ${name} of different kinds`,
  ),
  must(
    `${name}.combinations-totals`,
    `${listSection[name]} rule 2`,
    `${name}: ${totals}; this holds for any two parameters together`,
    combinations(name),
    hasTotals,
    `more than one page of ${name} of different kinds`,
  ),
];

/** Parameters of the lists in combination (contract, sections 4.2 and 4.4). */
export const combinationChecks: readonly Check[] = [
  ...combinationChecksOf(
    'findings',
    'repoId, severity, status, page and limit',
    'totalItems and totalPages depend on repoId and limit, and not on severity, status and page',
  ),
  ...combinationChecksOf(
    'prs',
    'repoId, status, page and limit',
    'totalItems and totalPages depend on repoId, status and limit, and not on page',
  ),
];
