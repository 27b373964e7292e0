import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import type { ApiRequest } from '../../client/outgoing-request.js';
import { maxLimit } from '../../contract/page-and-limit.js';
import type { Exchange } from './caching-client.js';
import { contractFields } from './contract-fields.js';
import { integerField, type Located, rowsOf } from './json-rows.js';
import { constant, derived, type FetchContext, type Need, whole } from './need.js';
import { asPage, fetchPage, lastCost, type Page } from './request-needs.js';
import { type ListName, listOperations, listRequest, type QueryValues } from './requests.js';
import { pagesOfRanges, sampledRanges } from './sampled-ranges.js';
import { type Auth, bySession } from './test-credentials.js';
import type { UnmetPrerequisite } from './unmet-prerequisite.js';

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

type ListOptions = Readonly<{ query?: QueryValues; limit?: number; auth?: Auth }>;

/** The cost of a list, whose length nobody knows before. */
const listCost = 10;

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

/** The pages of a list that were fetched, in the order of the list. */
type FetchedPages = Readonly<{ pages: readonly [Page, ...Page[]]; isWhole: boolean }>;

/** The number of pages up to which a list is fetched completely without `--all-pages`. */
export const maxPages = 25;

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
