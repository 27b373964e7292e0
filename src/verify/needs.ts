import * as E from 'fp-ts/lib/Either.js';
import { flow, pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { type ApiRequest, describeRequest } from '../client/api-request.js';
import { groupBy } from '../common/group-by.js';
import { operations } from '../contract/operations.js';
import { maxLimit } from '../contract/parameters.js';
import type { CachingClient, Exchange } from './caching-client.js';
import { contractFields } from './contract-fields.js';
import { coveringSet } from './covering-set.js';
import { idsIn, integerField, isRow, type Located, rowsOf, stringField } from './json-rows.js';
import {
  type ListName,
  listOperations,
  listRequest,
  type QueryValues,
  type RequestSpec,
  requestTo,
} from './requests.js';
import { pagesOfRanges, sampledRanges } from './sampled-ranges.js';
import { type Auth, bySession, requestAuth, type TestCredentials } from './test-credentials.js';
import { missing, type UnmetPrerequisite } from './unmet-prerequisite.js';

/** Whether large lists are fetched completely, and if not, which seed chooses their pages. */
export type Sampling = Readonly<{ seed: number; allPages: boolean }>;

/** What it takes to fetch a need. Requests that several checks need are sent once. */
export type FetchContext = Readonly<{
  client: CachingClient;
  credentials: TestCredentials;
  sampling: Sampling;
}>;

/**
 * A value that was fetched. `isPartial`: a whole list was needed, and only some of its pages were fetched. A
 * violation that is found in such a value may be due to the missing pages, and does not count.
 */
export type Fetched<A> = Readonly<{ value: A; isPartial: boolean }>;

type Fetching<A> = TE.TaskEither<UnmetPrerequisite, readonly Fetched<A>[]>;

/**
 * What a check needs from the server: a source of values, each of which is judged on its own.
 *
 * `compares` says whether a single value combines several responses. Data that changes between two responses
 * can then look like a violation, so violations found in such a value have to be confirmed.
 *
 * `cost` is roughly the number of requests that it takes. Checks that cost little run first.
 */
export type Need<A> = Readonly<{
  compares: boolean;
  cost: number;
  fetch: (context: FetchContext) => Fetching<A>;
}>;

/** A page of a list: its envelope is `value`. */
export type Page = Located & Readonly<{ items: readonly Located<unknown>[] }>;

/**
 * A list, or some pages of a large one. `rows` are the items that are objects, reduced to the fields of the
 * contract, in the order of the list.
 */
export type List = Readonly<{
  first: ApiRequest;
  pages: readonly Page[];
  rows: readonly Located[];
  /** Whether every page was fetched. */
  isWhole: boolean;
}>;

// Needs that send requests

const whole = <A>(value: A): Fetched<A> => ({ value, isPartial: false });

const single = <A>(fetch: (context: FetchContext) => TE.TaskEither<UnmetPrerequisite, A>): Need<A> => ({
  compares: false,
  cost: 1,
  fetch: flow(
    fetch,
    TE.map((value) => [whole(value)]),
  ),
});

/** The response to a request, with any status. */
export const response = (request: RequestSpec): Need<Exchange> => single((context) => send(context, request));

/** The responses to several requests, each judged on its own. */
export const responses = (requests: readonly RequestSpec[]): Need<Exchange> => eachOf(requests.map(response));

/** A page of a list. A response that is no page leaves the check unexercised. */
export const page = (request: RequestSpec): Need<Page> => single((context) => fetchPage(context, request));

type ListOptions = Readonly<{ query?: QueryValues; limit?: number; auth?: Auth }>;

/** The cost of a list, whose length nobody knows before. */
const listCost = 10;

/** That of what is known only at the end of a run. */
const lastCost = Number.POSITIVE_INFINITY;

/**
 * A list as far as a run looks at it: completely, or some pages of a large one. What is judged by it must
 * hold for any part of a list; `isWhole` says whether it is one.
 */
export const sampledList = (name: ListName, options: ListOptions = {}): Need<List> => ({
  compares: true,
  cost: listCost,
  fetch: (context) =>
    pipe(
      fetchList(context, name, options),
      TE.map((fetched) => [whole(listOf(fetched))]),
    ),
});

/**
 * A whole list. Of a large one only some pages are fetched, without `--all-pages`: violations are then left
 * out, because the missing pages may explain them.
 */
export const list = (name: ListName, options: ListOptions = {}): Need<List> => ({
  ...sampledList(name, options),
  fetch: (context) =>
    pipe(
      fetchList(context, name, options),
      TE.map((fetched) => [{ value: listOf(fetched), isPartial: !fetched.isWhole }]),
    ),
});

/** The pages of a list, each judged on its own: all of them, or some of a large one. */
export const pages = (name: ListName): Need<Page> => ({
  compares: false,
  cost: listCost,
  fetch: (context) =>
    pipe(
      fetchList(context, name, {}),
      TE.map((fetched) => fetched.pages.map(whole)),
    ),
});

/** How many repositories are tried for a list that is small enough, and how many of them are taken. */
const maxTries = 8;
const maxQueries = 3;

/**
 * Queries that narrow a list to so few rows that it is fetched completely, each to be judged on its own: a
 * single one without effect if the list is small, else repositories that together have rows of as many kinds
 * as possible, the one with the most kinds first. If there is none, the list remains a part.
 */
export const smallQueries = (name: ListName): Need<QueryValues> =>
  derived(sampledList(name), (all) => {
    if (all.isWhole) return constant<QueryValues>({});
    const tries = mixedRepos(all)
      .slice(0, maxTries)
      .map((repo) =>
        mapped(
          optional(page(listRequest(name, { repoId: repo.id, page: 1, limit: maxLimit })), null),
          (first) => (first !== null && isSmall(first) ? [repo] : []),
        ),
      );
    return split(together(tries), (found): readonly QueryValues[] => {
      const chosen = coveringSet(found.flat(), ({ kinds }) => kinds).slice(0, maxQueries);
      return chosen.length === 0 ? [{}] : chosen.map(({ id }) => ({ repoId: id }));
    });
  });

/** The first of these queries. */
export const smallQuery = (name: ListName): Need<QueryValues> => firstOf(smallQueries(name), {});

/** A repository, and the kinds of rows that a sample shows of it. */
type SampledRepo = Readonly<{ id: string; kinds: readonly string[] }>;

/**
 * Repositories that probably have few enough rows, as a sample suggests, those with the most kinds of rows
 * first.
 */
const mixedRepos = ({ rows, pages: [first] }: List): readonly SampledRepo[] => {
  const total = integerField(first?.value ?? {}, 'totalItems') ?? 0;
  const fewEnough = (0.8 * maxPages * maxLimit * rows.length) / total;
  const ofRepo = groupBy(rows, ({ value }) => stringField(value, 'repoId'));
  return repoIdsByRows(rows)
    .map((id) => ({ id, found: ofRepo.get(id) ?? [] }))
    .filter(({ found }) => found.length <= fewEnough)
    .map(({ id, found }) => ({ id, kinds: kindsOf(found) }))
    .sort((left, right) => right.kinds.length - left.kinds.length);
};

const isSmall = ({ value, items }: Page): boolean =>
  items.length > 1 && (integerField(value, 'totalItems') ?? 0) <= maxPages * maxLimit;

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

/** The rows of a repository: those in the whole list, or what `repoId` finds if the list is large. */
export const rowsOfRepo = (name: ListName, repoId: string): Need<List> =>
  derived(sampledList(name), (all) =>
    all.isWhole
      ? constant({ ...all, rows: all.rows.filter(({ value }) => value.repoId === repoId) })
      : list(name, { query: { repoId } }),
  );

/** All repositories, as they were sent. */
export const repoValues = (auth: Auth = bySession): Need<readonly Located<unknown>[]> =>
  single((context) =>
    pipe(
      send(context, requestTo(operations.listConnectedRepos, { auth })),
      TE.flatMap(({ request, response: { status }, body }) =>
        status === 200 && Array.isArray(body)
          ? TE.right(body.map((value: unknown, index) => ({ value, request, path: [String(index)] })))
          : TE.left(missing(`${describeRequest(request)} to answer 200 with an array`)),
      ),
    ),
  );

/** All repositories that are objects. */
export const repos = (auth: Auth = bySession): Need<readonly Located[]> => mapped(repoValues(auth), rowsOf);

/** Every exchange of the run so far, whichever check needed it. */
export const exchangesSoFar: Need<Exchange> = {
  compares: false,
  cost: lastCost,
  fetch: ({ client }) => TE.right(client.exchanges().map(whole)),
};

/** The list as far as it is looked at, and then every page of it that was fetched in the run so far. */
export const pagesSoFar = (name: ListName): Need<Page> => ({
  compares: false,
  cost: lastCost,
  fetch: (context) =>
    pipe(
      fetchList(context, name, {}),
      TE.map(() =>
        context.client
          .exchanges()
          .filter(({ request: { path, method } }) => path === listOperations[name].path && method === 'GET')
          .flatMap((exchange) => asPage(exchange) ?? [])
          .map(whole),
      ),
    ),
});

// Needs made of other needs

/** No value at all: a check that needs nothing else is not exercised. */
export const nothing = <A>(): Need<A> => eachOf<A>([]);

/** Several needs, whose values are judged together. */
export const together = <A>(needs: readonly Need<A>[]): Need<readonly A[]> => {
  const each = eachOf(needs);
  return {
    compares: true,
    cost: each.cost,
    fetch: (context) =>
      pipe(
        each.fetch(context),
        TE.map((values) => [
          {
            value: values.map(({ value }) => value),
            isPartial: values.some(({ isPartial }) => isPartial),
          },
        ]),
      ),
  };
};

/** A value that takes no request. */
const constant = <A>(value: A): Need<A> => ({
  compares: false,
  cost: 0,
  fetch: () => TE.right([whole(value)]),
});

/** Several needs of one kind. Each of their values is judged on its own. */
export const eachOf = <A>(needs: readonly Need<A>[]): Need<A> => ({
  compares: needs.some(({ compares }) => compares),
  cost: needs.reduce((sum, { cost }) => sum + cost, 0),
  fetch: (context) =>
    pipe(
      TE.sequenceArray(needs.map((need) => need.fetch(context))),
      TE.map((values) => values.flat()),
    ),
});

/** Each value in another form. */
export const mapped = <A, B>(source: Need<A>, change: (value: A) => B): Need<B> =>
  split(source, (value) => [change(value)]);

/** Each value, split into parts that are judged on their own. */
export const split = <A, B>(source: Need<A>, partsOf: (value: A) => readonly B[]): Need<B> => ({
  ...source,
  fetch: (context) =>
    pipe(
      source.fetch(context),
      TE.map((values) =>
        values.flatMap(({ value, isPartial }) => partsOf(value).map((part) => ({ value: part, isPartial }))),
      ),
    ),
});

/** The first value of a need, or a fallback if it has none. */
const firstOf = <A>(source: Need<A>, fallback: A): Need<A> => ({
  ...source,
  fetch: (context) =>
    pipe(
      source.fetch(context),
      TE.map(([first = whole(fallback)]) => [first]),
    ),
});

/** What a request costs that only other data suggests. */
const derivedCost = 5;

/**
 * A need that depends on fetched data. What is expected of it follows from that data, so responses are
 * compared.
 */
export const derived = <A, B>(source: Need<A>, toNeed: (value: A) => Need<B>): Need<B> => ({
  compares: true,
  cost: source.cost + derivedCost,
  fetch: (context) =>
    pipe(
      source.fetch(context),
      TE.flatMap(
        TE.traverseArray(({ value, isPartial }) =>
          pipe(
            toNeed(value).fetch(context),
            TE.map((found) => found.map((each) => ({ ...each, isPartial: isPartial || each.isPartial }))),
          ),
        ),
      ),
      TE.map((values) => values.flat()),
    ),
});

/** Two needs together: every pair of their values. */
export const both = <A, B>(one: Need<A>, other: Need<B>): Need<readonly [A, B]> => ({
  compares: true,
  cost: one.cost + other.cost,
  fetch: (context) =>
    pipe(
      one.fetch(context),
      TE.flatMap((left) =>
        // Without a left value there is no pair, and nothing has to be fetched for one.
        left.length === 0
          ? TE.right([])
          : pipe(
              other.fetch(context),
              TE.map((right) => left.flatMap((l) => right.map((r) => pairOf(l, r)))),
            ),
      ),
    ),
});

const pairOf = <A, B>(left: Fetched<A>, right: Fetched<B>): Fetched<readonly [A, B]> => ({
  value: [left.value, right.value],
  isPartial: left.isPartial || right.isPartial,
});

/**
 * Responses to requests that other data suggests, such as the ids that exist. That data may be a part of a
 * list. A violation has to be confirmed, because what was suggested may be gone.
 */
export const sampled = <A>(
  source: Need<A>,
  toRequests: (value: A) => readonly RequestSpec[],
): Need<Exchange> => derived(suggesting(source), (value) => responses(toRequests(value)));

/** A need of which only examples are taken: it does not matter whether it is a part of a list. */
const suggesting = <A>(source: Need<A>): Need<A> => ({
  ...source,
  fetch: (context) =>
    pipe(
      source.fetch(context),
      TE.map((values) => values.map(({ value }) => whole(value))),
    ),
});

/** A need, or a fallback if what it needs is missing. */
export const optional = <A, B>(source: Need<A>, fallback: B): Need<A | B> => ({
  ...source,
  fetch: (context): Fetching<A | B> =>
    pipe(
      source.fetch(context),
      TE.orElseW((unmet) => (unmet._tag === 'Missing' ? TE.right([whole(fallback)]) : TE.left(unmet))),
    ),
});

// How they are fetched

const send = (
  { client, credentials }: FetchContext,
  { auth, ...request }: RequestSpec,
): TE.TaskEither<UnmetPrerequisite, Exchange> =>
  pipe(
    TE.fromEither(requestAuth(credentials, auth)),
    TE.flatMap((auth) => client.send({ ...request, auth })),
  );

/** A response as a page; null unless it is a 200 with items. */
export const asPage = ({ request, response: { status }, body }: Exchange): Page | null => {
  if (status !== 200 || !isRow(body) || !Array.isArray(body.items)) return null;
  return {
    request,
    path: [],
    value: body,
    items: body.items.map((value: unknown, index) => ({ value, request, path: ['items', String(index)] })),
  };
};

const fetchPage = (context: FetchContext, request: RequestSpec): TE.TaskEither<UnmetPrerequisite, Page> =>
  pipe(
    send(context, request),
    TE.flatMap((exchange) =>
      TE.fromEither(
        E.fromNullable(missing(`${describeRequest(exchange.request)} to answer 200 with a page`))(
          asPage(exchange),
        ),
      ),
    ),
  );

/** The pages of a list that were fetched, in the order of the list. */
type FetchedPages = Readonly<{ pages: readonly [Page, ...Page[]]; isWhole: boolean }>;

/** The number of pages up to which a list is fetched completely without `--all-pages`. */
const maxPages = 25;

/**
 * Fetches the pages of a list. The first one tells how many there are. Of more than `maxPages`, a sample is
 * fetched, which has the same rows whatever the size of the pages.
 */
const fetchList = (
  context: FetchContext,
  name: ListName,
  { query = {}, limit = maxLimit, auth = bySession }: ListOptions,
): TE.TaskEither<UnmetPrerequisite, FetchedPages> => {
  const { seed, allPages } = context.sampling;
  const fetchNumber = (number: number): TE.TaskEither<UnmetPrerequisite, Page> =>
    fetchPage(context, listRequest(name, { ...query, page: number, limit }, auth));
  /** Further pages, for as long as rows are missing: a server may put fewer rows on a page than it should. */
  const fetchMissing = (pages: FetchedPages['pages'], next: number) =>
    isComplete(pages)
      ? TE.right<UnmetPrerequisite, FetchedPages>({ pages, isWhole: true })
      : !allPages && next > maxPages
        ? TE.right<UnmetPrerequisite, FetchedPages>({ pages, isWhole: false })
        : pipe(
            fetchNumber(next),
            TE.flatMap(
              (page): TE.TaskEither<UnmetPrerequisite, FetchedPages> =>
                fetchMissing([...pages, page], next + 1),
            ),
          );
  return pipe(
    fetchNumber(1),
    TE.flatMap((first) => {
      const total = integerField(first.value, 'totalItems') ?? 0;
      const count = first.items.length === 0 ? 1 : Math.ceil(total / limit);
      const key = JSON.stringify([name, query, auth]);
      const isSampled = !allPages && count > maxPages;
      const numbers = isSampled
        ? pagesOfRanges(sampledRanges(total, seed, key), limit).filter((number) => number > 1)
        : Array.from({ length: Math.min(Math.max(count - 1, 0), maxPages - 1) }, (_, index) => index + 2);
      return pipe(
        TE.traverseArray(fetchNumber)(numbers),
        TE.flatMap((rest) =>
          isSampled
            ? TE.right({ pages: [first, ...rest] as const, isWhole: false })
            : fetchMissing([first, ...rest], rest.length + 2),
        ),
      );
    }),
  );
};

const isComplete = (fetched: FetchedPages['pages']): boolean => {
  const last = fetched.at(-1) ?? fetched[0];
  const count = fetched.reduce((sum, { items }) => sum + items.length, 0);
  return last.items.length === 0 || count >= (integerField(last.value, 'totalItems') ?? 0);
};

const listOf = ({ pages: fetched, isWhole }: FetchedPages): List => ({
  first: fetched[0].request,
  pages: fetched,
  isWhole,
  rows: rowsOf(fetched.flatMap(({ items }) => items)).map((row) => ({
    ...row,
    value: contractFields(row.value),
  })),
});

/** Whether a response shows a list that is too large to be fetched completely without `--all-pages`. */
export const isOfLargeList = (exchange: Exchange): boolean => {
  const limit = new Map(exchange.request.query).get('limit');
  const total = integerField(asPage(exchange)?.value ?? {}, 'totalItems') ?? 0;
  return limit === String(maxLimit) && Math.ceil(total / maxLimit) > maxPages;
};
