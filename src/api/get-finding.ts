import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { operations } from '../contract/operations.js';
import { findingDetailView } from './finding-view.js';
import type { ApiDependencies, FindingNotFound, Handler, ReadError } from './handler.js';
import { rowRenderer } from './row-renderer.js';

const operation = operations.getFinding;

/**
 * One finding of the caller; an unknown id and an id of another tenant are the same (contract, section 4.3).
 */
export const getFinding = ({
  storage,
}: Pick<ApiDependencies, 'storage'>): Handler<typeof operation, ReadError | FindingNotFound> => {
  const renderer = rowRenderer({
    codec: operation.responses[200],
    view: findingDetailView,
    nameOf: ({ draft }) => `fix draft ${draft.id}`,
  });
  return ({ credentials, path }) =>
    pipe(
      storage.finding(credentials, path.id),
      TE.flatMap(TE.fromNullable<ReadError | FindingNotFound>({ _tag: 'FindingNotFound' })),
      TE.flatMapEither((found) => renderer.one(found)),
    );
};
