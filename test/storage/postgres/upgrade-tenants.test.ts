import test from 'ava';
import { resultOf } from '../../../src/storage/conformance/assertions.js';
import { migrate } from '../../../src/storage/postgres/migrate.js';
import { connected, withPostgres } from './_postgres.js';
import { schemaUpTo } from './_schema-of.js';

const { emptyDatabase } = withPostgres(test);

test('a role that could sign tenants up before the migration can do so afterwards, and purge', async (t) => {
  const url = await emptyDatabase(t);
  const name = `triage_serve_${process.pid}_${Math.random().toString(36).slice(2)}`;
  await connected(url, async (client) => {
    await schemaUpTo(client, '0004');
    await client.query(`CREATE ROLE ${name}; GRANT EXECUTE ON FUNCTION triage.sign_up TO ${name}`);
    t.teardown(() => connected(url, (own) => own.query(`DROP OWNED BY ${name}; DROP ROLE ${name}`)));
    await client.query("INSERT INTO triage.users VALUES ('before', 'x@test.test', 'x@test.test', '', '')");
    await resultOf(migrate(client));
    const { rows } = await client.query(
      `SELECT p.proname AS name FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
       WHERE n.nspname = 'triage' AND p.prosrc <> '' AND has_function_privilege($1, p.oid, 'EXECUTE')
         AND p.proname IN ('sign_up', 'create_account', 'purge', 'mark_deleted', 'delete_rows', 'refuse_deleted_user')
       ORDER BY 1`,
      [name],
    );
    t.deepEqual(
      rows.map((row) => row.name),
      ['create_account', 'purge', 'sign_up'],
    );
    const users = await client.query('SELECT signed_up_at, deleted_at FROM triage.users');
    t.deepEqual(users.rows, [{ signed_up_at: null, deleted_at: null }]);
  });
});
