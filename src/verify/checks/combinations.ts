import type { ApiRequest } from '../../client/api-request.js';
import { canonicalJson } from '../../common/canonical-json.js';
import { groupBy } from '../../common/group-by.js';
import { FindingStatus, PrStatus, Severity } from '../../contract/enums.js';
import { defaultLimit, defaultPage, maxLimit } from '../../contract/parameters.js';
import type { Exchange } from '../caching-client.js';
import { coveringSet } from '../covering-set.js';
import { integerField, type Row, stringField } from '../json-rows.js';
import { type List, sampledList } from '../list-needs.js';
import { derived, eachOf, mapped, type Need, optional, together } from '../need.js';
import { type Page, page, response } from '../request-needs.js';
import { type ListName, listRequest, type QueryValues } from '../requests.js';
import { completeRows, type KnownRows, knownPage, knownRows } from './known-rows.js';
import { statusOf } from './prs-by-status.js';

/** What a request should return. */
export type Expected = Readonly<{ items: readonly Row[]; totalItems: number; totalPages: number }>;

/** A request with several parameters, what it should return, and what it does return. */
export type Combination = Readonly<{
  query: QueryValues;
  expected: Expected;
  /** The request that what is expected follows from. */
  source: ApiRequest;
  exchange: Exchange;
}>;

/** The values of each parameter, apart from its absence. */
type Factors = Readonly<Record<string, readonly (string | number)[]>>;

/** A list whose rows match a filter, in the order in which the server has them. */
type Base = Readonly<{ filter: QueryValues; rows: KnownRows }>;

const pick = (query: QueryValues, names: readonly string[]): QueryValues =>
  Object.fromEntries(Object.entries(query).filter(([name]) => names.includes(name)));

const omit = (query: QueryValues, omitted: string): QueryValues =>
  Object.fromEntries(Object.entries(query).filter(([name]) => name !== omitted));

/** Every combination of values, each parameter being absent in some. */
const product = (factors: Factors): readonly QueryValues[] =>
  Object.entries(factors).reduce<readonly QueryValues[]>(
    (queries, [name, values]) =>
      queries.flatMap((query) => [query, ...values.map((value) => ({ ...query, [name]: value }))]),
    [{}],
  );

/** How a list uses its parameters: before it is cut into pages, and afterwards. */
type Rules = Readonly<{
  before: readonly string[];
  after: readonly string[];
  factors: Factors;
  matches: (row: Row, name: string, value: unknown) => boolean;
}>;

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

/**
 * The rows of a filtered list. If they are those that the whole list lets expect, they are in the order in
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

/** As many pages of a large list as any combination asks for. */
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
  const filters = product(pickFactors(factors, rule.before)).filter(
    (filter) => Object.keys(filter).length > 0,
  );
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

const pickFactors = (factors: Factors, names: readonly string[]): Factors =>
  Object.fromEntries(Object.entries(factors).filter(([name]) => names.includes(name)));

/** What a request should return; null where the contract does not say, or not enough rows are known. */
const expectation = (rule: Rules, bases: readonly Base[]): ((query: QueryValues) => Expected | null) => {
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
const pairwise = (
  factors: Factors,
  expected: (query: QueryValues) => Expected | null,
): readonly QueryValues[] => {
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

/** Requests in which every two values of two parameters of a list occur together (section 4.2 or 4.4). */
export const combinations = (name: ListName): Need<Combination> =>
  derived(sampledList(name), (all) => {
    const factors = factorsOf(rules[name], knownRows(all.pages).rows);
    return derived(basesOf(name, all, factors), (bases) => {
      const expected = expectation(rules[name], bases);
      return eachOf(
        pairwise(factors, expected).flatMap((query) => {
          const should = expected(query);
          return should === null
            ? []
            : mapped(response(listRequest(name, query)), (exchange) => ({
                query,
                expected: should,
                source: all.first,
                exchange,
              }));
        }),
      );
    });
  });
