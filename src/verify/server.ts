import * as E from '#fp-ts/Either';
import type { RequestError } from '../client/fetch-send.js';
import { describeRequest, type OutgoingRequest } from '../client/outgoing-request.js';
import { textOf } from '../common/json.js';
import { onceFor } from '../common/lru.js';
import { seededRandom } from '../common/seeded-random.js';
import { compareCodePoints, groupBy } from '../common/sort-and-group.js';
import { operations } from '../contract/operations.js';
import { maxLimit } from '../contract/page-and-limit.js';
import {
  asPage,
  type Exchange,
  exchange,
  type ListName,
  listRequest,
  type Page,
  type QueryValues,
  type RequestSpec,
  requestTo,
  totalItems,
} from './exchange.js';
import { all, NotExercised, orElse, withoutResponse } from './not-exercised.js';
import { contractFields, idsIn, integerField, type Located, rowsIn } from './rows.js';
import { type Auth, bySession, requestAuth, type TestCredentials } from './test-credentials.js';
import type { ThrottledSender } from './throttle.js';

/**
 * Sends each distinct request once and answers repeated ones from memory. `exchanges` are all so far, short
 * requests first: the order does not depend on which response came first, so that two runs report the same.
 */
export type CachingClient = Readonly<{
  send: (request: OutgoingRequest) => Promise<E.Either<RequestError, Exchange>>;
  exchanges: () => readonly Exchange[];
}>;

/** A client with an empty cache. The contract does not name the session cookie, so `cookieName` does. */
export const cachingClient = (sender: ThrottledSender, cookieName: string): CachingClient => {
  const cache = new Map<string, Promise<E.Either<RequestError, Exchange>>>();
  return noting({
    exchanges: () => [],
    send: (request) => {
      const key = describeRequest(request);
      const result = cache.get(key) ?? exchange(sender, cookieName, request);
      cache.set(key, result);
      return result;
    },
  });
};

/** A client with the exchanges that were asked of it, whether or not another one has them in its cache. */
const noting = (client: CachingClient): CachingClient => {
  const noted = new Map<string, Exchange>();
  return {
    exchanges: () =>
      Array.from(noted)
        .sort(([left], [right]) => left.length - right.length || compareCodePoints(left, right))
        .map(([, exchange]) => exchange),
    send: async (request) => {
      const result = await client.send(request);
      if (E.isRight(result)) noted.set(describeRequest(request), result.right);
      return result;
    },
  };
};

/** Whether large lists are fetched completely, and if not, which seed chooses their pages. */
export type Sampling = Readonly<{ seed: number; allPages: boolean }>;

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

/** The number of pages up to which a list is fetched completely without `--all-pages`. */
const maxPages = 25;

/** How many repositories are tried for a list that is small enough, and how many of them are taken. */
const [maxTries, maxQueries] = [8, 3];

/**
 * The server of a run as checks see it: requests that several of them need are sent once. What has no
 * response, or none that can be used, rejects with `NotExercised`.
 */
export const serverOf = (client: CachingClient, credentials: TestCredentials, sampling: Sampling) => {
  /** The response to a request, with any status. */
  const response = async ({ auth, ...request }: RequestSpec): Promise<Exchange> => {
    const found = requestAuth(credentials, auth);
    if (E.isLeft(found)) throw found.left;
    const sent = await client.send({ ...request, auth: found.right });
    if (E.isLeft(sent)) throw withoutResponse(sent.left);
    return sent.right;
  };

  const responses = (requests: readonly RequestSpec[]): Promise<readonly Exchange[]> =>
    all(requests.map(response));

  /** Each of these items with the response to its request. */
  const withResponses = <A extends object>(items: readonly A[], requestOf: (item: A) => RequestSpec) =>
    all(items.map(async (item) => ({ ...item, exchange: await response(requestOf(item)) })));

  /** What a response is read as. */
  const readAs = async <A>(what: string, request: RequestSpec, read: (exchange: Exchange) => A | null) => {
    const exchange = await response(request);
    const value = read(exchange);
    if (value !== null) return value;
    throw new NotExercised(`${describeRequest(exchange.request)} to answer 200 with ${what}`, 'response');
  };

  const page = (request: RequestSpec): Promise<Page> => readAs('a page', request, asPage);

  /** All repositories, as they were sent. */
  const repoValues = (auth: Auth = bySession): Promise<readonly Located<unknown>[]> =>
    readAs('an array', requestTo(operations.listConnectedRepos, { auth }), ({ request, response, body }) =>
      response.status === 200 && Array.isArray(body)
        ? body.map((value: unknown, index) => ({ value, request, path: [String(index)] }))
        : null,
    );

  /** All repositories that are objects. */
  const repos = async (auth?: Auth): Promise<readonly Located[]> => rowsIn(await repoValues(auth));

  /**
   * A list as far as a run looks at it: completely, or some pages of one that has more than `maxPages`. What
   * is judged by it must hold for any part of a list; `isWhole` says whether it is one.
   */
  const sample = async (
    name: ListName,
    { query = {}, limit = maxLimit, auth = bySession }: ListOptions = {},
  ): Promise<List> => {
    const { seed, allPages } = sampling;
    const fetchPage = (number: number): Promise<Page> =>
      page(listRequest(name, { ...query, page: number, limit }, auth));
    const first = await fetchPage(1);
    const count = first.items.length === 0 ? 1 : Math.ceil(totalItems(first) / limit);
    const isSampled = !allPages && count > maxPages;
    const numbers = isSampled
      ? sampledPages(count, seed)
      : Array.from({ length: Math.min(count, maxPages) }, (_, index) => index + 1);
    const pages = [first, ...(await all(numbers.slice(1).map(fetchPage)))];
    // A server may put fewer rows on a page than it should: it is asked for more while rows are missing.
    while (!isSampled && !isComplete(pages) && (allPages || pages.length < maxPages))
      pages.push(await fetchPage(pages.length + 1));
    const isWhole = !isSampled && isComplete(pages);
    return { first: first.request, pages, isWhole, rows: pages.flatMap(rowsOf) };
  };

  /** A whole list, for what the missing pages of a large one could explain. */
  const list = async (name: ListName, options?: ListOptions): Promise<List> => {
    const found = await sample(name, options);
    if (!found.isWhole) throw new NotExercised('all pages of a large list (--all-pages)', 'sample');
    return found;
  };

  /** The rows of a repository: those in the whole list, or what `repoId` finds if the list is large. */
  const rowsOfRepo = async (name: ListName, repoId: string): Promise<List> => {
    const found = await sample(name);
    if (!found.isWhole) return list(name, { query: { repoId } });
    return { ...found, rows: found.rows.filter(({ value }) => value.repoId === repoId) };
  };

  /**
   * Queries that narrow a list to so few rows that it is fetched completely, each to be judged on its own: a
   * single one without effect if the list is small, else repositories with rows of different kinds, the one
   * with the most kinds first. If there is none, it is the query without effect.
   */
  const smallQueries = async (name: ListName): Promise<readonly QueryValues[]> => {
    const found = await sample(name);
    if (found.isWhole) return [{}];
    const tries = mixedRepos(found)
      .slice(0, maxTries)
      .map(async (repo) => {
        const first = await orElse(
          page(listRequest(name, { repoId: repo.id, page: 1, limit: maxLimit })),
          null,
        );
        const isSmall = totalItems(first) <= maxPages * maxLimit;
        return first !== null && first.items.length > 1 && isSmall ? [repo] : [];
      });
    const chosen = coveringSet((await all(tries)).flat(), ({ kinds }) => kinds);
    return chosen.length === 0 ? [{}] : chosen.slice(0, maxQueries).map(({ id }) => ({ repoId: id }));
  };

  return {
    ...{ client, response, responses, withResponses, page, repoValues, repos },
    ...{ sample, list, rowsOfRepo, smallQueries },
    /** The first of these queries. */
    smallQuery: async (name: ListName): Promise<QueryValues> => (await smallQueries(name))[0] ?? {},
    /** The same server, whose client has only the exchanges that are asked of it. */
    noting: () => serverOf(noting(client), credentials, sampling),
  };
};

export type Server = Readonly<ReturnType<typeof serverOf>>;

/** How many pages of a large list are looked at besides the first two and the last two. */
const randomPages = 6;

/** The numbers of the pages of a large list that are looked at. The same seed gives the same ones. */
const sampledPages = (count: number, seed: number): readonly number[] => {
  const chosen = new Set([1, 2, count - 1, count]);
  const next = seededRandom(seed);
  while (chosen.size < 4 + randomPages) chosen.add(1 + Math.floor(next() * count));
  return Array.from(chosen).sort((left, right) => left - right);
};

/** The items of a page that are objects, reduced to the fields of the contract. */
const rowsOf = onceFor(({ items }: Page): readonly Located[] =>
  rowsIn(items).map((row) => ({ ...row, value: contractFields(row.value) })),
);

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

/**
 * Some of the candidates, which together reach every goal that any candidate reaches. Each step takes the one
 * that reaches the most goals that are left, the first of several.
 */
export const coveringSet = <A>(
  candidates: readonly A[],
  goalsOf: (candidate: A) => readonly string[],
): readonly A[] => {
  const open = candidates.map((candidate) => ({ candidate, goals: new Set(goalsOf(candidate)) }));
  const chosen: A[] = [];
  for (;;) {
    const [best] = open.toSorted((one, other) => other.goals.size - one.goals.size);
    if (best === undefined || best.goals.size === 0) return chosen;
    chosen.push(best.candidate);
    for (const goal of best.goals) for (const { goals } of open) goals.delete(goal);
  }
};

/** A repository, and the kinds of rows that a sample shows of it. */
type SampledRepo = Readonly<{ id: string; kinds: readonly string[] }>;

/** Repositories that seem to have few enough rows, those with the most kinds of rows first. */
const mixedRepos = ({ rows, pages: [first] }: List): readonly SampledRepo[] => {
  const fewEnough = (0.8 * maxPages * maxLimit * rows.length) / totalItems(first);
  const ofRepo = groupBy(rows, ({ value }) => textOf(value, 'repoId'));
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
