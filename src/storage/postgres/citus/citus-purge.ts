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

const Tenants = listOf(t.strict({ tenant: Identifier, node: Integer }, 'deleted tenant'));

/** How many tenants are looked up at once. */
const tenantsAtOnce = 100;

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
      const found: E.Either<StorageError, t.TypeOf<typeof Tenants>> = await deletedTenants(
        coordinator,
        last,
      )();
      if (E.isLeft(found)) return found;
      for (const { tenant, node } of found.right) {
        last = tenant;
        const deleted = await deleteWhole(coordinator, worker(node), tenant, batchSize, add, shouldStop);
        if (E.isLeft(deleted)) failure = deleted;
      }
      if (found.right.length < tenantsAtOnce) break;
    }
    return failure ?? E.right(sum);
  };

const deletedTenants = (
  coordinator: Asked,
  last: string | null,
): TE.TaskEither<StorageError, t.TypeOf<typeof Tenants>> =>
  pipe(
    coordinator.query({
      text: 'SELECT tenant, node FROM triage.deleted_tenants($1, $2)',
      values: [last, tenantsAtOnce],
    }),
    TE.flatMapEither(decodeResult(Tenants, 'deleted_tenants')),
  );

/** Deletes what is left of a tenant, in batches. */
const deleteWhole = async (
  coordinator: Asked,
  worker: Asked,
  tenant: string,
  batchSize: number,
  add: (part: Partial<Purged>) => void,
  shouldStop: () => boolean,
): Promise<E.Either<StorageError, void>> => {
  while (!shouldStop()) {
    const batch = await deleteRowsOfTenant(worker, tenant, batchSize)();
    if (E.isLeft(batch)) return batch;
    add({ rows: batch.right.deleted });
    if (!batch.right.is_gone) continue;
    const forgotten = await forgetTenant(coordinator, tenant)();
    if (E.isLeft(forgotten)) return forgotten;
    add({ tenants: forgotten.right ? 1 : 0 });
    break;
  }
  return E.right(undefined);
};
