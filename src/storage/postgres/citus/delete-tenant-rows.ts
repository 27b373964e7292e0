import * as t from 'io-ts';
import type * as TE from '#fp-ts/TaskEither';
import { Integer } from '../../../codecs/numbers.js';
import type { StorageError } from '../../port.js';
import type { Database } from '../database.js';
import { callTenant, tenantStatement } from './tenant-statements.js';

const Batch = t.strict({ deleted: Integer, is_gone: t.boolean }, 'batch');

/** Deletes at most about `most` rows of a tenant on its worker. `is_gone`: none is left. */
export const deleteRowsOfTenant = (
  worker: Pick<Database, 'query'>,
  userId: string,
  most: number,
): TE.TaskEither<StorageError, t.TypeOf<typeof Batch>> =>
  callTenant(worker, Batch, tenantStatement('tenant_delete_rows', userId, most));

/** Deletes a tenant without rows from the coordinator. False: there is none that is marked as deleted. */
export const forgetTenant = (
  coordinator: Pick<Database, 'query'>,
  userId: string,
): TE.TaskEither<StorageError, boolean> =>
  callTenant(coordinator, t.boolean, tenantStatement('forget_tenant', userId));
