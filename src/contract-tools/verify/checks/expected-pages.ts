import { canonicalJson } from '../../../common/json.js';
import { defaultLimit, defaultPage, maxLimit } from '../../../contract/page-and-limit.js';
import { integerField, type Row } from '../json-rows.js';
import { type List, sampledList } from '../list-needs.js';
import { derived, mapped, type Need, optional, together } from '../need.js';
import { type Page, page } from '../request-needs.js';
import { type ListName, listRequest, type QueryValues } from '../requests.js';
import { completeRows, type KnownRows, knownPage, knownRows } from './known-rows.js';
import { type Factors, matchesAll, type Rules, rules } from './list-rules.js';
import { laterPages, product } from './parameter-values.js';

/** The page that a request should return. */
export type Expected = Readonly<{ items: readonly Row[]; totalItems: number; totalPages: number }>;

/** What a request should return; null where the contract does not say, or not enough rows are known. */
export type Expectation = (query: QueryValues) => Expected | null;

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
export const expectedPages = (name: ListName, all: List, factors: Factors): Need<Expectation> =>
  mapped(basesOf(name, all, factors), (bases) => expectation(rules[name], bases));
