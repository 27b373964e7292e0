import * as E from '#fp-ts/Either';
import { operations } from '../../contract/operations.js';
import type { FixDraftDetails } from '../../records/row-records.js';
import { findingDetailView } from './finding-view.js';
import type { ApiDependencies, ContractBroken, FindingNotFound, Handler, ReadError } from './handler.js';
import type { Rendered } from './rendered.js';
import { rowRenderer } from './row-renderer.js';

const operation = operations.getFinding;

type Body = Rendered<(typeof operation)['responses'][200]>;

/**
 * One finding of the caller; an unknown id and an id of another tenant are the same (contract, section 4.3).
 */
export const getFinding = ({
  storage,
  keep,
}: Pick<ApiDependencies, 'storage' | 'keep'>): Handler<typeof operation, ReadError | FindingNotFound> => {
  const renderer = rowRenderer({
    codec: operation.responses[200],
    view: findingDetailView,
    nameOf: ({ draft }) => `fix draft ${draft.id}`,
  });
  const kept = keep<FixDraftDetails, E.Right<Body>>();
  const rendered = (row: FixDraftDetails): E.Either<ContractBroken, Body> => {
    const known = kept.get(row);
    if (known !== undefined) return known;
    const result = renderer.one(row);
    if (E.isRight(result) && Object.isFrozen(row)) kept.set(row, result, result.right.keep());
    return result;
  };
  return ({ credentials, path }) =>
    async () => {
      const found = await storage.finding(credentials, path.id)();
      if (E.isLeft(found)) return found;
      return found.right === null ? E.left({ _tag: 'FindingNotFound' }) : rendered(found.right);
    };
};
