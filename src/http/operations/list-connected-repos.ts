import * as E from '#fp-ts/Either';
import { millisecondsOf } from '../../contract/codecs/timestamp.js';
import type { operations } from '../../contract/operations.js';
import { RepoList } from '../../contract/repo.js';
import type { RepoDetails } from '../../records/row-records.js';
import type { ApiDependencies, Handler, ReadError } from './handler.js';
import { relativeTime, relativeTimeHoldsUntil } from './relative-time.js';
import { type Rendered, renderList } from './rendered.js';
import { repoView } from './repo-view.js';
import { rowRenderer } from './row-renderer.js';

type Operation = typeof operations.listConnectedRepos;

/** A rendered list, and the time in which the words in it are right, in milliseconds. */
type Kept = Readonly<{ from: number; until: number; list: Rendered<typeof RepoList> }>;

/** Every repository of the caller, the most recently scanned first (contract, section 4.1). */
export const listConnectedRepos = ({
  storage,
  clock,
  keep,
}: ApiDependencies): Handler<Operation, ReadError> => {
  const renderer = rowRenderer({
    codec: RepoList.type,
    view: repoView,
    nameOf: ({ repo }) => `repo ${repo.id}`,
  });
  const kept = keep<readonly RepoDetails[], Kept>();
  return ({ credentials }) =>
    async () => {
      const found = await storage.repos(credentials)();
      if (E.isLeft(found)) return found;
      const rows = found.right;
      const now = clock();
      const known = kept.get(rows);
      if (known !== undefined && known.from <= now && now < known.until) return E.right(known.list);
      const items = await renderer.allInTurns(rows, (row) => lastScanText(row, now))();
      if (E.isLeft(items)) return items;
      const list = renderList(RepoList, items.right);
      const until = rows.reduce((first, row) => Math.min(first, holdsUntil(row, now)), Infinity);
      if (Object.isFrozen(rows)) kept.set(rows, { from: now, until, list }, list.keep());
      return E.right(list);
    };
};

const lastScanText = ({ lastScan }: RepoDetails, now: number): string =>
  lastScan === null ? 'never' : relativeTime(millisecondsOf(lastScan.startedAt), now);

const holdsUntil = ({ lastScan }: RepoDetails, now: number): number =>
  lastScan === null ? Infinity : relativeTimeHoldsUntil(millisecondsOf(lastScan.startedAt), now);
