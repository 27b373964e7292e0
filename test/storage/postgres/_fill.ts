import { inspect } from 'node:util';
import * as E from 'fp-ts/lib/Either.js';
import type pg from 'pg';
import { hashSecret } from '../../../src/accounts/secrets.js';
import type { Dataset } from '../../../src/records/dataset.js';
import type { TenantRecords } from '../../../src/records/tenant-records.js';
import { fixtureRecords } from '../../../src/storage/fixtures/fixture-records.js';
import { importTenants } from '../../../src/storage/postgres/tenants.js';
import { at, now } from '../../_data.js';
import { hashCheaply } from '../../_storage.js';

/** Puts datasets into a database, as they are written. */
export const fill = async (client: pg.Client, datasets: readonly Dataset[]): Promise<void> => {
  const imported = await importTenants(client, tenantsFrom(datasets), {
    replace: false,
    onProgress: () => {},
  })();
  if (E.isLeft(imported)) throw new Error(inspect(imported.left));
};

/** Datasets as a source of an import. */
export async function* tenantsFrom(
  datasets: readonly Dataset[],
): AsyncGenerator<E.Either<never, TenantRecords>> {
  for (const dataset of datasets) {
    const { user, password, ...records } = fixtureRecords(dataset, hashSecret, at(now));
    yield E.right({ ...records, user: { ...user, passwordHash: await hashCheaply(password) } });
  }
}
