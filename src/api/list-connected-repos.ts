import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { millisecondsOf } from '../codecs/timestamp.js';
import { operations } from '../contract/operations.js';
import type { RepoDetails } from '../records/details.js';
import type { ApiDependencies, Handler, ReadError } from './handler.js';
import { relativeTime } from './relative-time.js';
import { renderList } from './rendered.js';
import { repoView } from './repo-view.js';
import { rowRenderer } from './row-renderer.js';

const operation = operations.listConnectedRepos;

/** Every repository of the caller, the most recently scanned first (contract, section 4.1). */
export const listConnectedRepos = ({
  storage,
  clock,
}: ApiDependencies): Handler<typeof operation, ReadError> => {
  const codec = operation.responses[200];
  const renderer = rowRenderer({
    codec: codec.type,
    view: repoView,
    nameOf: ({ repo }) => `repo ${repo.id}`,
  });
  return ({ credentials }) =>
    pipe(
      storage.repos(credentials),
      TE.flatMap((rows) => {
        const now = clock();
        return renderer.allInTurns(rows, [], (row) => lastScanText(row, now));
      }),
      TE.map((items) => renderList(codec, items)),
    );
};

const lastScanText = ({ lastScan }: RepoDetails, now: number): string =>
  lastScan === null ? 'never' : relativeTime(millisecondsOf(lastScan.startedAt), now);
