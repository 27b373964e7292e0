import * as E from '#fp-ts/Either';
import type { ApiCalls } from './api-calls.js';
import type { Fetch } from './fetcher.js';
import { listReaders, type OnProgress } from './list-readers.js';
import type { RecordError } from './record-error.js';
import { stableList } from './stable-list.js';
import type { TenantLists } from './tenant-lists.js';

/** All lists of a user, as they were at one moment. */
export type ReadLists = Readonly<{
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
