import { hashSecret } from '../../accounts/secrets.js';
import type { Dataset } from '../../records/dataset.js';
import type { TenantRecords } from '../../records/tenant-records.js';
import { fixtureRecords } from '../fixtures/fixture-records.js';
import { hashCheaply } from './sample-credentials.js';
import { at, now } from './sample-rows.js';

/**
 * The records of a tenant as a storage has to hold them: secrets as hashes, `userId` in sessions and tokens,
 * `prefix` of tokens. The password is hashed at the lowest cost, because the suite opens more than a hundred
 * storages and logs nobody in.
 */
export const datasetRecords = async (dataset: Dataset): Promise<TenantRecords> => {
  const { user, password, ...records } = fixtureRecords(dataset, hashSecret, at(now));
  return { ...records, user: { ...user, passwordHash: await hashCheaply(password) } };
};
