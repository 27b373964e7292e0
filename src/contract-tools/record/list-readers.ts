import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import { canonicalJson } from '../../common/json.js';
import { groupBy } from '../../common/sort-and-group.js';
import type { Finding } from '../../contract/finding.js';
import type { LenientRepo } from '../../contract/lenient.js';
import type { PageInfo } from '../../contract/page-and-limit.js';
import type { Pr } from '../../contract/pr.js';
import type { ApiCall, ApiCalls } from './api-calls.js';
import type { Fetch, Fetched } from './fetcher.js';
import type { RecordError } from './record-error.js';
import type { TenantLists } from './tenant-lists.js';

/** One complete pass over a list. */
export type ListSnapshot<A> = Readonly<{
  rows: readonly A[];
  /** The beginning of the list, in a form that shows later whether it has changed. */
  head: string;
  /** When the beginning was read, by the server's clock in milliseconds since 1970; null if unknown. */
  date: number | null;
  /** False if the pass stopped early because the list changed meanwhile. */
  isComplete: boolean;
  /** Signs that the list changed while it was read, for people. */
  inconsistencies: readonly string[];
}>;

/** Reads one list, as often as needed. */
export type ListReader<A> = Readonly<{
  name: keyof TenantLists;
  read: () => Promise<E.Either<RecordError, ListSnapshot<A>>>;
  /** Reads only the beginning as it is now, with a single request. */
  readHead: () => Promise<E.Either<RecordError, Pick<ListSnapshot<A>, 'head' | 'date'>>>;
}>;

/** Called after each page with the number of rows read so far and the total. */
export type OnProgress = (list: string, done: number, total: number) => void;

/** Readers of the three lists of a user. */
export const listReaders = (fetch: Fetch, calls: ApiCalls, onProgress: OnProgress) => ({
  repos: repoReader(fetch, calls),
  findings: pagedReader<Finding>('findings', fetch, calls.findingPage, ({ id }) => id, onProgress),
  // A pull request has no id of its own in the API: those of one finding share its id.
  prs: pagedReader<Pr>('prs', fetch, calls.prPage, canonicalJson, onProgress),
});

const repoReader = (fetch: Fetch, calls: ApiCalls): ListReader<LenientRepo> => {
  const snapshot = (
    fetched: E.Either<RecordError, Fetched<readonly LenientRepo[]>>,
  ): E.Either<RecordError, ListSnapshot<LenientRepo>> =>
    pipe(
      fetched,
      E.map(({ value, date }) => ({
        rows: value,
        head: canonicalJson(value.map((repo) => ({ ...repo, lastScanRelative: null }))),
        date,
        isComplete: true,
        inconsistencies: [],
      })),
    );
  return {
    name: 'repos',
    read: async () => snapshot(await fetch(calls.repos)),
    readHead: async () => snapshot(await fetch(calls.repos)),
  };
};

type Row = Readonly<{ id: string }>;
type Page<A> = PageInfo & Readonly<{ items: readonly A[] }>;

const pagedReader = <A extends Row>(
  name: 'findings' | 'prs',
  fetch: Fetch,
  pageCall: (page: number) => ApiCall<Page<A>>,
  keyOf: (row: A) => string,
  onProgress: OnProgress,
): ListReader<A> => ({
  name,
  readHead: async () =>
    pipe(
      await fetch(pageCall(1)),
      E.map(({ value, date }) => ({ head: headOf(value), date })),
    ),
  read: async () => {
    const first = await fetch(pageCall(1));
    if (E.isLeft(first)) return first;
    const { value: firstPage, date } = first.right;
    const { totalItems } = firstPage;
    const pages = [firstPage];
    const rows = [...firstPage.items];
    let page = firstPage;
    onProgress(name, rows.length, totalItems);
    while (page.totalItems === totalItems && page.items.length > 0 && rows.length < totalItems) {
      const next = await fetch(pageCall(pages.length + 1));
      if (E.isLeft(next)) return next;
      page = next.right.value;
      pages.push(page);
      for (const row of page.items) rows.push(row);
      onProgress(name, rows.length, page.totalItems);
    }
    return E.right({
      rows,
      head: headOf(firstPage),
      date,
      isComplete: page.totalItems === totalItems,
      inconsistencies: [...totalInconsistencies(pages, rows.length), ...repeatedRows(pages, keyOf)],
    });
  },
});

const headOf = <A>({ items, totalItems }: Page<A>): string => canonicalJson([items, totalItems]);

const totalInconsistencies = (pages: readonly PageInfo[], count: number): readonly string[] => {
  const [first, last] = [pages[0]?.totalItems, pages.at(-1)?.totalItems];
  if (first !== last) return [`totalItems is ${first} on page 1 and ${last} on page ${pages.length}`];
  return count === first ? [] : [`its pages hold ${count} rows, but totalItems is ${first}`];
};

/** How many repeated rows are named. */
const maxNamedRows = 3;

/** The rows that are on more than one page: they moved between pages while these were read. */
const repeatedRows = <A extends Row>(
  pages: readonly Page<A>[],
  keyOf: (row: A) => string,
): readonly string[] => {
  const places = pages.flatMap(({ items }, index) => items.map((row) => ({ row, page: index + 1 })));
  const lines = Array.from(groupBy(places, ({ row }) => keyOf(row)).values()).flatMap(([first, ...others]) =>
    others
      .filter(({ page }) => page !== first?.page)
      .map(({ row, page }) => `${JSON.stringify(row.id)} is on page ${first?.page} and on page ${page}`),
  );
  return lines.length > maxNamedRows
    ? [...lines.slice(0, maxNamedRows), `and so are ${lines.length - maxNamedRows} more rows`]
    : lines;
};
