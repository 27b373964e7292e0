import type pg from 'pg';
import { hashSecret } from '../../../src/accounts/hash-secret.js';
import type { Dataset } from '../../../src/records/dataset.js';
import { credentialRecords } from '../../../src/storage/fixtures/credential-records.js';
import { importTenants } from '../../../src/storage/postgres/import-tenants.js';
import { cheaply } from '../../_storage.js';

/** Puts datasets into a database, as they are written. */
export const fill = async (client: pg.Client, datasets: readonly Dataset[]): Promise<void> => {
  const tenants = [];
  for (const each of datasets) {
    const { password, ...who } = each.user;
    const { repos, scans, fixDrafts, pullRequests } = each;
    tenants.push({
      user: { ...who, passwordHash: await cheaply(password) },
      ...credentialRecords(each, hashSecret),
      rows: { repos, scans, fixDrafts, pullRequests },
    });
  }
  const conflicts = await importTenants(client, tenants, { replace: false, progress: () => {} });
  if (conflicts.length > 0) throw new Error(JSON.stringify(conflicts));
};
