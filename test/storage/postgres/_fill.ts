import { inspect } from 'node:util';
import * as E from 'fp-ts/lib/Either.js';
import type pg from 'pg';
import { hashSecret } from '../../../src/accounts/secrets.js';
import type { Dataset } from '../../../src/records/dataset.js';
import type { TenantRecords } from '../../../src/records/tenant-records.js';
import { emailKey } from '../../../src/records/user.js';
import { fixtureRecords } from '../../../src/storage/fixtures/fixture-records.js';
import { importTenants } from '../../../src/storage/postgres/import-tenants.js';
import { at, now } from '../../_data.js';
import { hashCheaply } from '../../_storage.js';

/** Puts datasets into a database, as they are written. */
export const fill = async (client: pg.Client, datasets: readonly Dataset[]): Promise<void> => {
  const imported = await importTenants(client, tenants(datasets), { replace: false, onProgress: () => {} })();
  if (E.isLeft(imported)) throw new Error(inspect(imported.left));
};

/** Puts datasets into a database with the schema of version 0.1, by its own functions. */
export const fillVersion01 = async (client: pg.Client, datasets: readonly Dataset[]): Promise<void> => {
  for await (const tenant of tenants(datasets)) {
    if (E.isLeft(tenant)) continue;
    const { user, sessions, apiTokens, rows } = tenant.right;
    await client.query('SELECT triage.add_user($1, $2)', [JSON.stringify(user), emailKey(user.email)]);
    for (const session of sessions)
      await client.query('SELECT triage.add_session($1)', [JSON.stringify(session)]);
    for (const token of apiTokens) await client.query('SELECT triage.add_token($1)', [JSON.stringify(token)]);
    await client.query('SELECT triage.add_rows($1, $2)', [user.id, JSON.stringify(rows)]);
  }
};

async function* tenants(datasets: readonly Dataset[]): AsyncGenerator<E.Either<never, TenantRecords>> {
  for (const dataset of datasets) {
    const { user, password, ...records } = fixtureRecords(dataset, hashSecret, at(now));
    yield E.right({ ...records, user: { ...user, passwordHash: await hashCheaply(password) } });
  }
}
