import type pg from 'pg';
import { aTenantOf } from '../test/storage/postgres/_tenants.js';

/** The tenant that is written to; its session's value is the same. */
export const tenant = 'bench';

/** The tables whose triggers count. */
const tables = ['repos', 'scans', 'fix_drafts', 'pull_requests'];

/** Writes the tenant. Without counts, no trigger runs from then on but those of the foreign keys. */
export const buildTenant = async (client: pg.Client, rows: number, counts: boolean): Promise<void> => {
  await aTenantOf(client, tenant, rows);
  if (!counts)
    for (const table of tables) await client.query(`ALTER TABLE triage.${table} DISABLE TRIGGER USER`);
  await client.query('VACUUM ANALYZE');
};
