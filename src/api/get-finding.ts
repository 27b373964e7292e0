import * as E from 'fp-ts/lib/Either.js';
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
  keep,
}: Pick<ApiDependencies, 'storage' | 'keep'>): Handler<typeof operation, ReadError | FindingNotFound> => {
  const renderer = rowRenderer(
    {
      codec: operation.responses[200],
      view: findingDetailView,
      nameOf: ({ draft }) => `fix draft ${draft.id}`,
    },
    keep,
  );
  return ({ credentials, path }) =>
    async () => {
      const found = await storage.finding(credentials, path.id)();
      if (E.isLeft(found)) return found;
      return found.right === null ? E.left({ _tag: 'FindingNotFound' }) : renderer.one(found.right);
    };
};
