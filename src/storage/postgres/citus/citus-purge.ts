import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import { listOf } from '../../../codecs/list.js';
import { Integer } from '../../../codecs/numbers.js';
import { Identifier } from '../../../codecs/text.js';
import type { StorageError } from '../../port.js';
import type { Database } from '../database.js';
import { decodeResult } from '../decode-result.js';
import { Digits } from '../digits.js';
import type { Purged, PurgeOptions } from '../purge.js';
import { deleteRowsOfTenant, forgetTenant } from './delete-tenant-rows.js';
import { callTenant, tenantStatement } from './tenant-statements.js';

type Asked = Pick<Database, 'query'>;

const DeletedTenant = t.strict({ tenant: Identifier, node: Integer }, 'deleted tenant');
type DeletedTenant = t.TypeOf<typeof DeletedTenant>;

/**
 * The same as `purge` for a distributed database. Tenants whose worker is away are left for later, and the
 * others are deleted; then the result is the error of the last one.
 */
export const citusPurge =
  (
    coordinator: Asked,
    worker: (node: number) => Asked,
    { at, batchSize, onProgress, shouldStop }: PurgeOptions,
  ): TE.TaskEither<StorageError, Purged> =>
  async () => {
    let sum: Purged = { sessions: 0, tenants: 0, rows: 0 };
    const add = (part: Partial<Purged>): void => {
      const { sessions = 0, tenants = 0, rows = 0 } = part;
      if (sessions + tenants + rows === 0) return;
      sum = { sessions: sum.sessions + sessions, tenants: sum.tenants + tenants, rows: sum.rows + rows };
      onProgress(sum);
    };
    while (!shouldStop()) {
      const sessions = await callTenant(
        coordinator,
        Digits,
        tenantStatement('purge_sessions', at, batchSize),
      )();
      if (E.isLeft(sessions)) return sessions;
      add({ sessions: Number(sessions.right) });
      if (Number(sessions.right) < batchSize) break;
    }
    let last: string | null = null;
    let failure: E.Left<StorageError> | null = null;
    while (!shouldStop()) {
      // Before each batch: meanwhile, another process may have finished, and the tenant be imported again.
      const found: E.Either<StorageError, DeletedTenant | undefined> = await deletedTenant(
        coordinator,
        last,
      )();
      if (E.isLeft(found)) return found;
      if (found.right === undefined) break;
      const { tenant, node }: DeletedTenant = found.right;
      const batch = await deleteBatch(coordinator, worker(node), tenant, batchSize)();
      if (E.isLeft(batch)) failure = batch;
      else add(batch.right);
      if (E.isLeft(batch) || batch.right.isGone) last = tenant;
    }
    return failure ?? E.right(sum);
  };

/** The first tenant after `last` that is marked as deleted and has not gone. */
const deletedTenant = (
  coordinator: Asked,
  last: string | null,
): TE.TaskEither<StorageError, DeletedTenant | undefined> =>
  pipe(
    coordinator.query({ text: 'SELECT tenant, node FROM triage.deleted_tenants($1, 1)', values: [last] }),
    TE.flatMapEither(decodeResult(listOf(DeletedTenant), 'deleted_tenants')),
    TE.map(([first]) => first),
  );

/** Deletes some rows of a tenant, and the tenant itself if none is left. */
const deleteBatch = (
  coordinator: Asked,
  worker: Asked,
  tenant: string,
  batchSize: number,
): TE.TaskEither<StorageError, Omit<Purged, 'sessions'> & Readonly<{ isGone: boolean }>> =>
  pipe(
    deleteRowsOfTenant(worker, tenant, batchSize),
    TE.flatMap(({ deleted, is_gone: isGone }) =>
      pipe(
        isGone ? forgetTenant(coordinator, tenant) : TE.right(false),
        TE.map((isForgotten) => ({ rows: deleted, tenants: isForgotten ? 1 : 0, isGone })),
      ),
    ),
  );
