import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import { canonicalJson } from '../../common/json.js';
import { groupBy } from '../../common/sort-and-group.js';
import type { Finding } from '../../contract/finding.js';
import type { LenientRepo } from '../../contract/lenient.js';
import type { PageInfo } from '../../contract/page-and-limit.js';
import type { Pr } from '../../contract/pr.js';
import type { ApiCall, ApiCalls, Fetch, Fetched, RecordError } from './fetcher.js';

/** Everything that the lists of the API show to one user, in the order in which they show it. */
export type TenantLists = Readonly<{
  repos: readonly LenientRepo[];
  findings: readonly Finding[];
  prs: readonly Pr[];
}>;

/** One complete pass over a list. */
type ListSnapshot<A> = Readonly<{
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
type ListReader<A> = Readonly<{
  name: keyof TenantLists;
  read: () => Promise<E.Either<RecordError, ListSnapshot<A>>>;
  /** Reads only the beginning as it is now, with a single request. */
  readHead: () => Promise<E.Either<RecordError, Pick<ListSnapshot<A>, 'head' | 'date'>>>;
}>;

/** Called after each page with the number of rows read so far and the total. */
export type OnProgress = (list: string, done: number, total: number) => void;

/** Readers of the three lists of a user. */
const listReaders = (fetch: Fetch, calls: ApiCalls, onProgress: OnProgress) => ({
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

/** How often a list is read at most. */
const maxReads = 4;

/** A list that is read again until it no longer changes. */
type StableList<A> = Readonly<{
  name: string;
  snapshot: () => ListSnapshot<A>;
  /** Reads the list unless what was read is still current. */
  refresh: () => Promise<E.Either<RecordError, void>>;
  /** Reads the head again. `right`: whether it is still the one that was read. */
  checkHead: () => Promise<E.Either<RecordError, boolean>>;
}>;

const stableList = <A>({ name, read, readHead }: ListReader<A>): StableList<A> => {
  let reads = 0;
  let inconsistencies: readonly string[] = [];
  let snapshot: ListSnapshot<A> = { rows: [], head: '', date: null, isComplete: true, inconsistencies: [] };
  let isCurrent = false;

  /**
   * Reads until a snapshot has no inconsistencies, or two in a row are the same: then the server itself is
   * inconsistent, and reading once more would not help. `maxReads` limits all calls together.
   */
  const readUntilStable = async (): Promise<E.Either<RecordError, ListSnapshot<A>>> => {
    let previous: ListSnapshot<A> | null = null;
    while (reads < maxReads) {
      reads += 1;
      const result = await read();
      if (E.isLeft(result)) return result;
      const current = result.right;
      if (current.inconsistencies.length === 0 || (previous !== null && isSame(previous, current))) {
        // A stable list is read again only if `checkHead` finds another head.
        inconsistencies = ['its beginning changed before everything was read'];
        return result;
      }
      previous = current;
      inconsistencies = current.inconsistencies;
    }
    return E.left({ _tag: 'UnstableList', list: name, reads, inconsistencies });
  };

  return {
    name,
    snapshot: () => snapshot,
    refresh: async () => {
      if (isCurrent) return E.right(undefined);
      const result = await readUntilStable();
      if (E.isLeft(result)) return result;
      snapshot = result.right;
      isCurrent = true;
      return E.right(undefined);
    },
    checkHead: async () =>
      pipe(
        await readHead(),
        E.map(({ head, date }) => {
          isCurrent = head === snapshot.head;
          if (isCurrent) snapshot = { ...snapshot, date };
          return isCurrent;
        }),
      ),
  };
};

const isSame = <A>(left: ListSnapshot<A>, right: ListSnapshot<A>): boolean =>
  left.isComplete &&
  canonicalJson(left.inconsistencies) === canonicalJson(right.inconsistencies) &&
  canonicalJson(left.rows) === canonicalJson(right.rows);

/** All lists of a user, as they were at one moment. */
type ReadLists = Readonly<{
  lists: TenantLists;
  /** That moment by the server's clock, in milliseconds since 1970; null if the server does not tell it. */
  date: number | null;
  /** Inconsistencies that were the same on every read, for people. */
  warnings: readonly string[];
}>;

/**
 * Reads all lists completely, then the beginning of each once more, because that is where new rows appear.
 * Lists that have changed are read again, until none has changed or one has been read too often.
 */
export const readLists = async (
  fetch: Fetch,
  calls: ApiCalls,
  onProgress: OnProgress,
): Promise<E.Either<RecordError, ReadLists>> => {
  const readers = listReaders(fetch, calls, onProgress);
  const repos = stableList(readers.repos);
  const findings = stableList(readers.findings);
  const prs = stableList(readers.prs);
  const all = [repos, findings, prs];
  let isUnchanged = false;
  while (!isUnchanged) {
    for (const list of all) {
      const refreshed = await list.refresh();
      if (E.isLeft(refreshed)) return refreshed;
    }
    isUnchanged = true;
    for (const list of all) {
      const checked = await list.checkHead();
      if (E.isLeft(checked)) return checked;
      if (!checked.right) isUnchanged = false;
    }
  }
  return E.right({
    lists: { repos: repos.snapshot().rows, findings: findings.snapshot().rows, prs: prs.snapshot().rows },
    date: repos.snapshot().date,
    warnings: all.flatMap(({ name, snapshot }) =>
      snapshot().inconsistencies.map((each) => `${name}: ${each} (on every read)`),
    ),
  });
};
