import * as E from '#fp-ts/Either';
import type { OutgoingRequest } from '../client/outgoing-request.js';
import { onceFor } from '../common/lru.js';
import { seededRandom } from '../common/seeded-random.js';
import { groupBy } from '../common/sort-and-group.js';
import { maxLimit } from '../contract/page-and-limit.js';
import type { Exchange } from './exchange.js';
import {
  changed,
  constant,
  derived,
  type FetchContext,
  type Fetching,
  mapped,
  type Need,
  optional,
  single,
  split,
  together,
  whole,
} from './need.js';
import {
  asPage,
  fetchPage,
  type ListName,
  lastCost,
  listRequest,
  lists,
  type Page,
  page,
  type QueryValues,
} from './requests.js';
import { contractFields, idsIn, integerField, type Located, rowsIn, stringField } from './rows.js';
import { type Auth, bySession } from './test-credentials.js';

/** Rows of a list: the index of the first one, and the index after the last one. */
type RowRange = Readonly<{ start: number; end: number }>;

/** The number of rows in a range, and how many ranges are chosen at random. */
const [rangeLength, randomRanges] = [100, 6];

/**
 * The rows of a large list that are looked at: the first, the last, and some in between. The same seed and
 * key give the same ranges, whatever the size of the pages in which they are then fetched.
 */
const sampledRanges = (totalRows: number, seed: number, key: string): readonly RowRange[] => {
  const count = Math.ceil(totalRows / rangeLength);
  const chosen = new Set([0, 1, count - 2, count - 1].filter((index) => index >= 0 && index < count));
  const target = Math.min(count, chosen.size + randomRanges);
  const next = seededRandom(hash(`${seed} ${key}`));
  while (chosen.size < target) chosen.add(Math.floor(next() * count));
  return Array.from(chosen)
    .sort((left, right) => left - right)
    .map((index) => ({ start: index * rangeLength, end: Math.min(totalRows, (index + 1) * rangeLength) }));
};

/** The numbers, from 1, of the pages of a size that together have these rows. */
const pagesOfRanges = (ranges: readonly RowRange[], limit: number): readonly number[] =>
  Array.from(
    new Set(
      ranges.flatMap(({ start, end }) => {
        const first = Math.floor(start / limit) + 1;
        const last = Math.ceil(end / limit);
        return Array.from({ length: last - first + 1 }, (_, index) => first + index);
      }),
    ),
  );

/** A 32-bit hash of a text (FNV-1a). */
const hash = (text: string): number => {
  let value = 0x811c9dc5;
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return value >>> 0;
};

/**
 * Some of the candidates, which together reach every goal that any candidate reaches. Each step takes the one
 * that reaches the most goals that are left, the first of several.
 */
export const coveringSet = <A>(
  candidates: readonly A[],
  goalsOf: (candidate: A) => readonly string[],
): readonly A[] => {
  const open = candidates.map((candidate) => {
    const goals = new Set(goalsOf(candidate));
    return { candidate, goals, left: goals.size };
  });
  const reaching = new Map<string, (typeof open)[number][]>();
  for (const each of open)
    for (const goal of each.goals) {
      const same = reaching.get(goal) ?? [];
      same.push(each);
      reaching.set(goal, same);
    }
  const chosen: A[] = [];
  while (reaching.size > 0) {
    const best = open.reduce((one, other) => (other.left > one.left ? other : one));
    chosen.push(best.candidate);
    for (const goal of best.goals) {
      for (const each of reaching.get(goal) ?? []) each.left -= 1;
      reaching.delete(goal);
    }
  }
  return chosen;
};

/**
 * A list, or some pages of a large one. `rows` are the items that are objects, reduced to the fields of the
 * contract, in the order of the list.
 */
export type List = Readonly<{
  first: OutgoingRequest;
  pages: readonly Page[];
  rows: readonly Located[];
  isWhole: boolean;
}>;

type ListOptions = Readonly<{ query?: QueryValues; limit?: number; auth?: Auth }>;

/**
 * A list as far as a run looks at it: completely, or some pages of a large one. What is judged by it must
 * hold for any part of a list; `isWhole` says whether it is one.
 */
export const sampledList = (name: ListName, options: ListOptions = {}): Need<List> =>
  // Nobody knows before how long a list is.
  single((context) => fetchList(context, name, options), 10);

/**
 * A whole list. Of a large one only some pages are fetched, without `--all-pages`: violations are then left
 * out, because the missing pages may explain them.
 */
export const list = (name: ListName, options: ListOptions = {}): Need<List> =>
  changed(sampledList(name, options), (lists) =>
    lists.map(({ value }) => ({ value, isPartial: !value.isWhole })),
  );

/** The pages of a list as far as a run looks at it, each judged on its own. */
export const pages = (name: ListName): Need<Page> => ({
  ...split(sampledList(name), (fetched) => fetched.pages),
  compares: false,
});

/** The rows of a repository: those in the whole list, or what `repoId` finds if the list is large. */
export const rowsOfRepo = (name: ListName, repoId: string): Need<List> =>
  derived(sampledList(name), (all) =>
    all.isWhole
      ? constant({ ...all, rows: all.rows.filter(({ value }) => value.repoId === repoId) })
      : list(name, { query: { repoId } }),
  );

/** The list as far as it is looked at, and then every page of it that was fetched in the run so far. */
export const pagesSoFar = (name: ListName): Need<Page> => ({
  compares: false,
  cost: lastCost,
  fetch: async (context) => {
    const fetched = await fetchList(context, name, {});
    if (E.isLeft(fetched)) return fetched;
    const ofList = context.client
      .exchanges()
      .filter(({ request: { path, method } }) => path === lists[name].operation.path && method === 'GET');
    return E.right(ofList.flatMap((exchange) => asPage(exchange) ?? []).map(whole));
  },
});

/** The number of pages up to which a list is fetched completely without `--all-pages`. */
const maxPages = 25;

/**
 * Fetches the pages of a list. The first one tells how many there are. Of more than `maxPages`, a sample is
 * fetched, which has the same rows whatever the size of the pages.
 */
const fetchList = async (
  context: FetchContext,
  name: ListName,
  { query = {}, limit = maxLimit, auth = bySession }: ListOptions,
): Fetching<List> => {
  const { seed, allPages } = context.sampling;
  const fetchNumber = (number: number): Fetching<Page> =>
    fetchPage(context, listRequest(name, { ...query, page: number, limit }, auth));
  const first = await fetchNumber(1);
  if (E.isLeft(first)) return first;
  const total = totalItems(first.right);
  const count = first.right.items.length === 0 ? 1 : Math.ceil(total / limit);
  const isSampled = !allPages && count > maxPages;
  const numbers = isSampled
    ? pagesOfRanges(sampledRanges(total, seed, JSON.stringify([name, query, auth])), limit)
    : Array.from({ length: Math.min(count, maxPages) }, (_, index) => index + 1);
  const others = numbers.filter((number) => number > 1).map(fetchNumber);
  const rest = E.sequenceArray(await Promise.all(others));
  if (E.isLeft(rest)) return rest;
  const pages = [first.right, ...rest.right];
  // A server may put fewer rows on a page than it should: it is asked for more while rows are missing.
  while (!isSampled && !isComplete(pages) && (allPages || pages.length < maxPages)) {
    const next = await fetchNumber(pages.length + 1);
    if (E.isLeft(next)) return next;
    pages.push(next.right);
  }
  return E.right({
    first: first.right.request,
    pages,
    isWhole: !isSampled && isComplete(pages),
    rows: pages.flatMap(rowsOf),
  });
};

/** The items of a page that are objects, reduced to the fields of the contract. */
const rowsOf = onceFor(({ items }: Page): readonly Located[] =>
  rowsIn(items).map((row) => ({ ...row, value: contractFields(row.value) })),
);

/** The number of items that a page says the list has; 0 if it says none that can be used. */
const totalItems = (fetched: Page | null | undefined): number =>
  integerField(fetched?.value ?? {}, 'totalItems') ?? 0;

/** Without a total that can be used, a list ends where a page is empty. */
const isComplete = (fetched: readonly Page[]): boolean => {
  const last = fetched.at(-1);
  const total = integerField(last?.value ?? {}, 'totalItems');
  const count = fetched.reduce((sum, { items }) => sum + items.length, 0);
  return last?.items.length === 0 || (total !== null && count >= total);
};

/** Whether a response shows a list that is too large to be fetched completely without `--all-pages`. */
export const isOfLargeList = (exchange: Exchange): boolean =>
  new Map(exchange.request.query).get('limit') === String(maxLimit) &&
  totalItems(asPage(exchange)) > maxPages * maxLimit;

/** How many repositories are tried for a list that is small enough, and how many of them are taken. */
const [maxTries, maxQueries] = [8, 3];

/**
 * Queries that narrow a list to so few rows that it is fetched completely, each to be judged on its own: a
 * single one without effect if the list is small, else repositories that together have rows of as many kinds
 * as possible, the one with the most kinds first. If there is none, it is the query without effect, and the
 * list is only sampled.
 */
export const smallQueries = (name: ListName): Need<QueryValues> =>
  derived(sampledList(name), (all) => {
    if (all.isWhole) return constant<QueryValues>({});
    const tries = mixedRepos(all)
      .slice(0, maxTries)
      .map((repo) =>
        mapped(
          optional(page(listRequest(name, { repoId: repo.id, page: 1, limit: maxLimit })), null),
          (first) =>
            first !== null && first.items.length > 1 && totalItems(first) <= maxPages * maxLimit
              ? [repo]
              : [],
        ),
      );
    return split(together(tries), (found): readonly QueryValues[] => {
      const chosen = coveringSet(found.flat(), ({ kinds }) => kinds).slice(0, maxQueries);
      return chosen.length === 0 ? [{}] : chosen.map(({ id }) => ({ repoId: id }));
    });
  });

/** The first of these queries. */
export const smallQuery = (name: ListName): Need<QueryValues> =>
  changed(smallQueries(name), ([first = whole({})]) => [first]);

/** A repository, and the kinds of rows that a sample shows of it. */
type SampledRepo = Readonly<{ id: string; kinds: readonly string[] }>;

/** Repositories that seem to have few enough rows, those with the most kinds of rows first. */
const mixedRepos = ({ rows, pages: [first] }: List): readonly SampledRepo[] => {
  const fewEnough = (0.8 * maxPages * maxLimit * rows.length) / totalItems(first);
  const ofRepo = groupBy(rows, ({ value }) => stringField(value, 'repoId'));
  return repoIdsByRows(rows)
    .map((id) => ({ id, found: ofRepo.get(id) ?? [] }))
    .filter(({ found }) => found.length <= fewEnough)
    .map(({ id, found }) => ({ id, kinds: kindsOf(found) }))
    .sort((left, right) => right.kinds.length - left.kinds.length);
};

const kindsOf = (rows: readonly Located[]): readonly string[] => [
  ...new Set(
    rows.map(({ value: { severity, status, prState } }) => JSON.stringify([severity, status, prState])),
  ),
];

/** The ids of the repositories that rows belong to, those with the fewest rows first. */
export const repoIdsByRows = (rows: readonly Located[]): readonly string[] =>
  Array.from(groupBy(idsIn(rows, 'repoId'), (id) => id))
    .sort(([, left], [, right]) => left.length - right.length)
    .map(([id]) => id);
