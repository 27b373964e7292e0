import * as t from 'io-ts';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import { listOf } from '../../../codecs/list.js';
import { Integer } from '../../../codecs/numbers.js';
import type { StorageError } from '../../port.js';
import type { Database } from '../database.js';
import { decodeResult } from '../decode-result.js';

const WorkerNodes = listOf(t.strict({ node: Integer, name: t.string, key: t.string }, 'node'));

/**
 * A node that has rows of tenants. `key` is a text that stands for its tenants: Citus delegates a function
 * whose first argument it is to this node.
 */
export type WorkerNode = t.TypeOf<typeof WorkerNodes>[number];

/** The nodes that have rows of tenants. */
export const workerNodes = (
  coordinator: Pick<Database, 'query'>,
): TE.TaskEither<StorageError, readonly WorkerNode[]> =>
  pipe(
    coordinator.query({ text: 'SELECT node, name, key FROM triage.worker_nodes()', values: [] }),
    TE.flatMapEither(decodeResult(WorkerNodes, 'worker_nodes')),
  );
