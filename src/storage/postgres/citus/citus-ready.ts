import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import { timestampAt } from '../../../codecs/timestamp.js';
import type { NotReady, SchemaNewer, StorageError, WorkersAway } from '../../port.js';
import { checkFunctions, checkSchema } from '../canary.js';
import { type Database, withTimeLimit } from '../database.js';
import { innerCitusFunctions, requiredCitusFunctions } from './citus-functions.js';
import { missingDistribution } from './engine.js';
import { callTenant, settleStatement, tenantStatement } from './tenant-statements.js';
import { type WorkerNode, workerNodes } from './worker-nodes.js';

type Asked = Pick<Database, 'query'>;

/**
 * Succeeds if a distributed database can serve requests with the rights of this connection: the coordinator
 * settles callers, and each worker answers a query. Workers that do not answer in time are named; if none
 * does, that is an error.
 */
export const citusReady = (
  coordinator: Asked,
  worker: (node: number) => Asked,
): TE.TaskEither<NotReady, SchemaNewer | WorkersAway | undefined> =>
  pipe(
    checkSchema(coordinator),
    TE.tap(() =>
      pipe(
        missingDistribution(coordinator),
        TE.flatMap(
          (missing): TE.TaskEither<NotReady, void> =>
            missing.length === 0 ? TE.right(undefined) : TE.left({ _tag: 'SchemaOlder', missing }),
        ),
      ),
    ),
    TE.tap(() => checkFunctions(coordinator, [...requiredCitusFunctions, ...innerCitusFunctions])),
    TE.tap(() => coordinator.query(settleStatement({ session: null, apiToken: null, at: timestampAt(0) }))),
    TE.flatMap((newer) =>
      pipe(
        workerNodes(coordinator),
        TE.flatMap((nodes) => checkWorkers(nodes, worker)),
        TE.map((away) => away ?? newer),
      ),
    ),
  );

/** How long a worker may take to answer before it is reported to be away, in milliseconds. */
const timeLimit = 500;

const limited = ({ query }: Asked): Asked => withTimeLimit({ query, close: async () => {} }, timeLimit);

const checkWorkers =
  (
    nodes: readonly WorkerNode[],
    worker: (node: number) => Asked,
  ): TE.TaskEither<StorageError, WorkersAway | undefined> =>
  async () => {
    const checked = await Promise.all(
      nodes.map(async ({ node, name, key }) => ({
        name,
        result: await callTenant(limited(worker(node)), t.boolean, tenantStatement('node_ready', key))(),
      })),
    );
    const away: string[] = [];
    for (const { name, result } of checked) {
      if (E.isRight(result)) continue;
      if (result.left._tag !== 'StorageUnavailable' || checked.every((each) => E.isLeft(each.result)))
        return result;
      away.push(name);
    }
    return E.right(away.length === 0 ? undefined : { _tag: 'WorkersAway', workers: away });
  };
