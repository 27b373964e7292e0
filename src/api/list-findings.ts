import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { Finding } from '../contract/finding.js';
import { operations } from '../contract/operations.js';
import type { FindingsQuery } from '../contract/parameters.js';
import type { FixDraftRecord } from '../records/fix-draft.js';
import { findingView } from './finding-view.js';
import type { ApiDependencies, Handler, ReadError } from './handler.js';
import type { PageRows } from './paging.js';
import { pageRenderer, rangeOf } from './paging.js';
import { rowRenderer } from './row-renderer.js';

const operation = operations.listFindings;

/**
 * A page of the caller's findings, of one repository when `repoId` is given. `severity` and `status` narrow
 * the items after the page was cut, so that the totals ignore them (contract, section 4.2, rule 2).
 */
export const listFindings = ({
  storage,
}: Pick<ApiDependencies, 'storage'>): Handler<typeof operation, ReadError> => {
  const renderer = rowRenderer({ codec: Finding, view: findingView, nameOf: ({ id }) => `fix draft ${id}` });
  const render = pageRenderer(operation.responses[200], renderer);
  return ({ credentials, query }) =>
    pipe(
      storage.findings(credentials, { repoId: query.repoId, ...rangeOf(query) }),
      TE.flatMapEither((page) => render(narrowed(page, query), query)),
    );
};

const narrowed = (page: PageRows<FixDraftRecord>, query: FindingsQuery): PageRows<FixDraftRecord> =>
  query.severity === undefined && query.status === undefined
    ? page
    : { rows: page.rows.filter(matches(query)), total: page.total };

const matches =
  ({ severity, status }: FindingsQuery) =>
  (draft: FixDraftRecord): boolean =>
    (severity === undefined || draft.severity === severity) &&
    (status === undefined || draft.status === status);
