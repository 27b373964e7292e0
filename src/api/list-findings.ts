import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { Finding } from '../contract/finding.js';
import type { FindingsQuery } from '../contract/parameters.js';
import type { FixDraftRecord } from '../records/fix-draft.js';
import type { PresentedCredentials } from '../storage/port.js';
import type { ApiError } from './api-error.js';
import type { Dependencies } from './dependencies.js';
import { findingView } from './finding-view.js';
import { pageOfRows } from './page-of-rows.js';
import { rangeOf } from './paging.js';
import { renderOnce } from './render-once.js';
import type { Rendered } from './rendered.js';

/**
 * A page of the caller's findings, of one repository where asked. `severity` and `status` narrow the items of the page
 * after it was cut, so that the totals ignore them (contract, section 4.2, rule 2).
 */
export const listFindings = ({ storage }: Pick<Dependencies, 'storage'>) => {
  const renderFinding = renderOnce(Finding, findingView);
  return (credentials: PresentedCredentials, query: FindingsQuery): TE.TaskEither<ApiError, Rendered> =>
    pipe(
      storage.findings(credentials, { repoId: query.repoId, ...rangeOf(query) }),
      TE.flatMapEither(({ rows, total }) =>
        pageOfRows(query, total, rows.filter(matching(query)), renderFinding, ({ id }) => `fix draft ${id}`),
      ),
    );
};

const matching =
  ({ severity, status }: FindingsQuery) =>
  (draft: FixDraftRecord): boolean =>
    (severity === undefined || draft.severity === severity) &&
    (status === undefined || draft.status === status);
