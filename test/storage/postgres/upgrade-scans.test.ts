import test from 'ava';
import { resultOf } from '../../../src/storage/conformance/assertions.js';
import { migrate } from '../../../src/storage/postgres/migrate.js';
import { connected, withPostgres } from './_postgres.js';
import { schemaUpTo } from './_schema-of.js';

const { emptyDatabase } = withPostgres(test);

test('negative counts of scans that a writer has stored become 0, and later ones are refused', async (t) => {
  const url = await emptyDatabase(t);
  await connected(url, async (client) => {
    await schemaUpTo(client, '0011');
    await client.query(`
      INSERT INTO triage.users (id, email, email_key, name, password_hash)
      VALUES ('u', 'x@test.test', 'x@test.test', '', '');
      INSERT INTO triage.repos VALUES ('u', 'r', 'acme', 'web', 'main', false, '', '')`);
    const insert = (id: string, seen: number, opened: number) =>
      client.query(`INSERT INTO triage.scans VALUES ('u', $1, 'r', now(), now(), '', $2, $3, NULL)`, [
        id,
        seen,
        opened,
      ]);
    await insert('a', -1, 2);
    await insert('b', 3, -9007199254740991);
    await insert('c', 4, 5);
    t.deepEqual(await resultOf(migrate(client)), ['0012_scan_counts']);
    const { rows } = await client.query(
      'SELECT id, findings_seen::int AS seen, drafts_opened::int AS opened FROM triage.scans ORDER BY id',
    );
    t.deepEqual(rows, [
      { id: 'a', seen: 0, opened: 2 },
      { id: 'b', seen: 3, opened: 0 },
      { id: 'c', seen: 4, opened: 5 },
    ]);
    await t.throwsAsync(insert('d', -1, 0), { code: '23514' });
    await t.throwsAsync(insert('d', 0, -1), { code: '23514' });
    await insert('d', 0, 0);
  });
});
