import * as E from '#fp-ts/Either';
import { Finding } from '../../contract/finding.js';
import { type FindingsQuery, operations } from '../../contract/operations.js';
import type { FixDraftRecord } from '../../records/fix-draft.js';
import { findingView } from './finding-view.js';
import type { ApiDependencies, Handler, ReadError } from './handler.js';
import { type PageRows, pageRenderer, rangeOf } from './paging.js';

const operation = operations.listFindings;

/**
 * A page of the caller's findings, of one repository when `repoId` is given. `severity` and `status` narrow
 * the items after the page was cut, so that the totals ignore them (contract, section 4.2, rule 2).
 */
export const listFindings = ({
  storage,
  keep,
}: Pick<ApiDependencies, 'storage' | 'keep'>): Handler<typeof operation, ReadError> => {
  const items = { codec: Finding, view: findingView, nameOf: ({ id }: FixDraftRecord) => `fix draft ${id}` };
  const render = pageRenderer(operation.responses[200], items, keep, narrowed);
  return ({ credentials, query }) =>
    async () => {
      const { offset, limit } = rangeOf(query);
      const found = await storage.findings(credentials, { repoId: query.repoId, offset, limit })();
      return E.isLeft(found) ? found : render(found.right, query);
    };
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
