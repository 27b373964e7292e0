import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { newSession } from '../../../src/storage/conformance/new-records.js';
import { acme } from '../../../src/storage/conformance/sample-tenants.js';
import { migrate } from '../../../src/storage/postgres/migrate.js';
import { migrationNames, schemaState } from '../../../src/storage/postgres/schema-state.js';
import { bySession } from '../../_storage.js';
import { fill } from './_fill.js';
import { opened, storageAt } from './_opened.js';
import { connected, withPostgres } from './_postgres.js';
import { setUp } from './_role.js';

const { database } = withPostgres(test);

const read = (name: string): Promise<string> =>
  readFile(fileURLToPath(new URL(`../../../../docs/${name}`, import.meta.url)), 'utf8');

const block = (text: string, info: string): string => {
  const found = text.split(/^```/m).find((each) => each.startsWith(`${info}\n`));
  if (found === undefined) throw new Error(`there is no block ${info}`);
  return found.slice(info.length + 1);
};

test('the page on upgrading says for every migration how to go back', async (t) => {
  const rows = (await read('upgrading.md')).split('\n').filter((line) => line.startsWith('| `0'));
  for (const name of await migrationNames()) {
    const number = name.slice(0, 4);
    const covers = (line: string): boolean => {
      const [first = '', last = first] = Array.from(
        (line.split('|')[1] ?? '').matchAll(/`(\d{4})`/g),
        ([, found]) => found,
      );
      return first <= number && number <= last;
    };
    t.true(rows.some(covers), name);
  }
});

for (const name of [
  '0012_scan_counts',
  '0011_versions',
  '0010_session_origins',
  '0009_accounts',
  '0008_rights',
]) {
  test(`going back from ${name} and forth again`, async (t) => {
    const url = await database(t);
    const statements = block(await read('upgrading.md'), `sql back ${name.slice(0, 4)}`);
    await connected(url, async (client) => {
      await client.query(statements);
      t.deepEqual(await schemaState(opened(t, url))(), E.right({ _tag: 'Older', missing: [name] }));
      t.deepEqual(await migrate(client)(), E.right([name]));
    });
  });
}

test('a process of the previous version starts sessions, which have no origin, on the new schema', async (t) => {
  const url = await database(t);
  await connected(url, async (client) => {
    await fill(client, [acme]);
    const { origin: _, ...session } = newSession('acme', 'of-previous-version');
    await client.query('SELECT triage.start_session($1, $2, $3)', [JSON.stringify(session), null, 500]);
    const stored = await client.query('SELECT origin FROM triage.sessions WHERE hash = $1', [session.hash]);
    t.deepEqual(stored.rows, [{ origin: null }]);
  });
  t.true(E.isRight(await storageAt(t, url).repos(bySession('of-previous-version'))()));
});

test('the documented removal of roles leaves a schema that works with one role', async (t) => {
  const url = await database(t);
  await connected(url, (client) => fill(client, [acme]));
  const roles = await setUp(t, url);
  const statements = block(await read('roles.md'), 'sql no roles').replaceAll(
    /triage_(owner|definer|serve|write|read)/g,
    (_, part: string) => `${roles.owner.replace(/owner$/, '')}${part}`,
  );
  await connected(url, async (client) => {
    await client.query(statements);
    await client.query(`DROP ROLE ${Object.values(roles).join(', ')}`);
    await client.query("DELETE FROM triage.migrations WHERE name = '0008_rights'");
    t.deepEqual(await migrate(client)(), E.right(['0008_rights']));
  });
  t.true(E.isRight(await storageAt(t, url).repos(bySession('acme-cookie'))()));
});
