import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { storageConformance } from '../../../src/storage/conformance/index.js';
import { type Database, openDatabase } from '../../../src/storage/postgres/database.js';
import { migrate } from '../../../src/storage/postgres/migrate.js';
import { roleNames } from '../../../src/storage/postgres/roles.js';
import { postgresStorage } from '../../../src/storage/postgres/storage.js';
import { patient } from '../../_storage.js';
import { connected, fill, urlWith, withPostgres } from './_postgres.js';
import { aRolePrefix, dropRoles } from './_role.js';

const { beforeStop, sharedDatabase } = withPostgres(test);
const roles = roleNames(aRolePrefix());
const app = aRolePrefix();
let url = '';
let pool: Database | undefined;
test.serial.before(async () => {
  url = await sharedDatabase();
  await connected(url, async (client) => {
    const done = await migrate(client, { roles })();
    if (E.isLeft(done)) throw new Error(JSON.stringify(done.left));
    await client.query(`CREATE ROLE ${app} LOGIN PASSWORD 'secret' IN ROLE ${roles.serve}`);
  });
  pool = openDatabase(
    { url: urlWith(url, { username: app, password: 'secret' }), poolSize: 10, timeLimit: 10_000 },
    () => {},
  );
});
beforeStop(async () => {
  await pool?.close();
  await dropRoles(url, [app, ...Object.values(roles)]);
});

const cases = storageConformance(async (datasets) => {
  if (pool === undefined) throw new Error('the database has not been opened');
  await connected(url, async (client) => {
    await client.query('TRUNCATE triage.users CASCADE');
    await fill(client, datasets);
  });
  return { storage: postgresStorage({ database: pool }, () => {}), close: async () => {} };
}, patient);

// The rights of the serving and the definer role suffice for everything that a storage does.
for (const { name, run } of cases) {
  test.serial(`PostgreSQL as a serving role: ${name}`, async (t) => {
    await t.notThrowsAsync(run());
  });
}
