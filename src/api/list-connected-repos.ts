import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { millisecondsOf } from '../codecs/timestamp.js';
import { Repo } from '../contract/repo.js';
import type { RepoDetails } from '../records/details.js';
import type { PresentedCredentials } from '../storage/port.js';
import type { ApiError } from './api-error.js';
import type { Dependencies } from './dependencies.js';
import { relativeTime } from './relative-time.js';
import { renderOnce } from './render-once.js';
import { renderRows } from './render-rows.js';
import { type Rendered, renderList } from './rendered.js';
import { repoView } from './repo-view.js';

/** Every repository of the caller, the most recently scanned first (contract, section 4.1). */
export const listConnectedRepos = ({ storage, clock }: Dependencies) => {
  const renderRepo = renderOnce(Repo, repoView);
  return (credentials: PresentedCredentials): TE.TaskEither<ApiError, Rendered> =>
    pipe(
      storage.repos(credentials),
      TE.flatMapEither((rows): E.Either<ApiError, Rendered> => {
        const now = clock();
        return pipe(
          renderRows(
            rows,
            (facts) => renderRepo(facts, sinceScan(facts, now)),
            ({ repo }) => `repo ${repo.id}`,
            [],
          ),
          E.map(renderList),
        );
      }),
    );
};

const sinceScan = ({ lastScan }: RepoDetails, now: number): string =>
  lastScan === null ? 'never' : relativeTime(millisecondsOf(lastScan.startedAt), now);
