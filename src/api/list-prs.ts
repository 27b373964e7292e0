import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { PrsQuery } from '../contract/parameters.js';
import { Pr } from '../contract/pr.js';
import type { PresentedCredentials } from '../storage/port.js';
import type { ApiError } from './api-error.js';
import type { Dependencies } from './dependencies.js';
import { pageOfRows } from './page-of-rows.js';
import { rangeOf } from './paging.js';
import { prView } from './pr-view.js';
import { renderOnce } from './render-once.js';
import type { Rendered } from './rendered.js';

/**
 * A page of the caller's fix pull requests, of one repository and of one status where asked; both filters apply before
 * the page is cut, so that the totals count what matches (contract, section 4.4, rule 2).
 */
export const listPrs = ({ storage }: Pick<Dependencies, 'storage'>) => {
  const renderPr = renderOnce(Pr, prView);
  return (credentials: PresentedCredentials, query: PrsQuery): TE.TaskEither<ApiError, Rendered> =>
    pipe(
      storage.prs(credentials, { repoId: query.repoId, status: query.status, ...rangeOf(query) }),
      TE.flatMapEither(({ rows, total }) =>
        pageOfRows(query, total, rows, renderPr, ({ pullRequest }) => `pull request ${pullRequest.id}`),
      ),
    );
};
