import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { aUser } from '../_data.js';
import { cookie } from '../_server.js';
import { directoryWith } from '../storage/memory/_directory.js';
import { withPostgres } from '../storage/postgres/_postgres.js';
import { listen, run } from './_cli.js';

const { database } = withPostgres(test);

const valid = (name: string) => ({ user: aUser(name), sessions: [{ value: `${name}-session` }] });

test('serve serves one file, and nothing else of its directory, and reloads it', async (t) => {
  const directory = await directoryWith(t, { 'a.json': valid('a'), 'b.json': 'null' });
  const { url, err, until } = await listen(t, ['-f', join(directory, 'a.json')]);
  const status = async (session: string) => (await fetch(`${url}/api/v1/repos`, cookie(session))).status;
  t.is(await status('a-session'), 200);
  // Editors replace a file by another one.
  await writeFile(join(directory, 'new'), JSON.stringify(valid('c')));
  await rename(join(directory, 'new'), join(directory, 'a.json'));
  await until(() => err().includes('fixtures reloaded'));
  t.deepEqual([await status('a-session'), await status('c-session')], [401, 200]);
});

test('serve refuses to keep accounts beside the file that it serves, and a file that is missing', async (t) => {
  const directory = await directoryWith(t, { 'a.json': valid('a') });
  const serve = (...words: readonly string[]) => run(['serve', '--port', '0', ...words]);
  const state = await serve('-f', join(directory, 'a.json'), '--state', directory);
  t.regex(state.err, /--state must not be the directory of the fixtures/);
  const missing = await serve('-f', join(directory, 'b.json'));
  t.is(missing.code, 1);
  t.regex(missing.err, /b\.json: no such file$/m);
});

test('import loads a file, or several paths together', async (t) => {
  const url = await database(t);
  const directory = await directoryWith(t, { 'a.json': valid('a'), 'b.json': valid('b') });
  await mkdir(join(directory, 'more'));
  await writeFile(join(directory, 'more/c.json'), JSON.stringify(valid('c')));
  const load = (...paths: readonly string[]) =>
    run(['db', 'import', ...paths.map((path) => join(directory, path)), '--database-url', url]);
  const one = await load('a.json');
  t.is(one.code, 0, one.err);
  t.regex(one.out, /^imported 1 tenant into /m);
  const two = await load('b.json', 'more');
  t.regex(two.out, /^imported 2 tenants into /m);
  const none = await load('nope', 'a.json');
  t.is(none.code, 1);
  t.regex(none.err, /nope: no such file or directory\nrefused: 1 problem\n$/);
});
