import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { operations } from '../contract/operations.js';
import { Pr } from '../contract/pr.js';
import type { ApiDependencies, Handler, ReadError } from './handler.js';
import { pageRenderer, rangeOf } from './paging.js';
import { prView } from './pr-view.js';
import { rowRenderer } from './row-renderer.js';

const operation = operations.listPrs;

/**
 * A page of the caller's fix pull requests, of one repository and one status when these are given. Both
 * filters apply before the page is cut, so that the totals count what matches (contract, section 4.4, rule
 * 2).
 */
export const listPrs = ({
  storage,
}: Pick<ApiDependencies, 'storage'>): Handler<typeof operation, ReadError> => {
  const renderer = rowRenderer({
    codec: Pr,
    view: prView,
    nameOf: ({ pullRequest }) => `pull request ${pullRequest.id}`,
  });
  const render = pageRenderer(operation.responses[200], renderer);
  return ({ credentials, query }) =>
    pipe(
      storage.prs(credentials, { repoId: query.repoId, status: query.status, ...rangeOf(query) }),
      TE.flatMapEither((page) => render(page, query)),
    );
};
