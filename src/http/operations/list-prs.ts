import * as E from '#fp-ts/Either';
import { operations } from '../../contract/operations.js';
import { Pr } from '../../contract/pr.js';
import type { PullRequestDetails } from '../../records/row-records.js';
import type { ApiDependencies, Handler, ReadError } from './handler.js';
import { pageRenderer, rangeOf } from './paging.js';
import { prView } from './pr-view.js';

const operation = operations.listPrs;

/**
 * A page of the caller's fix pull requests, of one repository and one status when these are given. Both
 * filters apply before the page is cut, so that the totals count what matches (contract, section 4.4, rule
 * 2).
 */
export const listPrs = ({
  storage,
  keep,
}: Pick<ApiDependencies, 'storage' | 'keep'>): Handler<typeof operation, ReadError> => {
  const items = {
    codec: Pr,
    view: prView,
    nameOf: ({ pullRequest }: PullRequestDetails) => `pull request ${pullRequest.id}`,
  };
  const render = pageRenderer(operation.responses[200], items, keep);
  return ({ credentials, query }) =>
    async () => {
      const { repoId, status } = query;
      const { offset, limit } = rangeOf(query);
      const found = await storage.prs(credentials, { repoId, status, offset, limit })();
      return E.isLeft(found) ? found : render(found.right, query);
    };
};
