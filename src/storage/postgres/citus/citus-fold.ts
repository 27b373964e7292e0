import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import type { StorageError } from '../../port.js';
import type { Database } from '../database.js';
import { Digits } from '../digits.js';
import { callTenant, tenantStatement } from './tenant-statements.js';
import { workerNodes } from './worker-nodes.js';

type Asked = Pick<Database, 'query'>;

/** The maximum number of changes per statement, which must end well within the time limit of a statement. */
const maxChanges = 10_000;

/**
 * Folds the changes of every worker, all workers at once, until there are none. One that is away keeps the
 * others from nothing; the result is its error then.
 */
export const citusFold = (
  coordinator: Asked,
  worker: (node: number) => Asked,
  isStopped: () => boolean = () => false,
): TE.TaskEither<StorageError, void> =>
  pipe(
    workerNodes(coordinator),
    TE.flatMap((nodes) => async () => {
      const results = await Promise.all(nodes.map(({ node, key }) => foldNode(worker(node), key, isStopped)));
      return results.find(E.isLeft) ?? E.right(undefined);
    }),
  );

const foldNode = async (
  worker: Asked,
  key: string,
  isStopped: () => boolean,
): Promise<E.Either<StorageError, void>> => {
  while (!isStopped()) {
    const folded = await callTenant(worker, Digits, tenantStatement('node_fold', key, maxChanges))();
    if (E.isLeft(folded)) return folded;
    if (Number(folded.right) < maxChanges) break;
  }
  return E.right(undefined);
};
