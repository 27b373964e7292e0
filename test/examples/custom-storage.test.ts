import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { type OpenStorage, storageConformance } from '../../src/storage-kit/conformance/index.js';
import { block, documentText } from '../_documented.js';
import { node, projectWith } from '../_package.js';
import { patient } from '../_storage.js';
import { listen, listenProcess } from '../cli/_cli.js';
import { directoryWith } from '../fixtures/_directory.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** A copy of the example in a directory where the name of this package leads to what it exports. */
const customStorage = async (t: ExecutionContext): Promise<string> => {
  const directory = await mkdtemp(join(root, 'build', 'custom-storage-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  for (const name of ['sqlite-storage.js', 'open-for-tests.js']) {
    await cp(join(root, 'examples', 'custom-storage', name), join(directory, name));
  }
  return directory;
};

/** An export of one of its modules. */
const exportOf = async (directory: string, file: string, name: string): Promise<unknown> =>
  Object(await import(pathToFileURL(join(directory, file)).href))[name];

const source = fileURLToPath(new URL('../../../examples/custom-storage/', import.meta.url));

const isOpenStorage = (value: unknown): value is OpenStorage => typeof value === 'function';

test('the example passes the whole suite', async (t) => {
  const openForTests = await exportOf(await customStorage(t), 'open-for-tests.js', 'openForTests');
  if (!isOpenStorage(openForTests)) return t.fail();
  for (const { name, run } of storageConformance(openForTests, { ...patient })) {
    await t.notThrowsAsync(run, name);
  }
});

test('serve takes the example: an account is still there after a restart', async (t) => {
  const module = join(await customStorage(t), 'sqlite-storage.js');
  const file = join(await directoryWith(t, {}), 'triage.sqlite');
  const serve = () => listenProcess(t, ['--storage', module], { SQLITE_FILE: file });
  const first = await serve();
  t.true(first.err().includes('triage-api: data from the storage '));
  const account = { email: 'you@example.com', password: 'correct horse battery' };
  const signedUp = await fetch(`${first.url}/signup`, {
    method: 'POST',
    body: new URLSearchParams({ name: 'You', ...account }),
    redirect: 'manual',
  });
  t.is(signedUp.status, 303);
  const { code } = await first.end('SIGTERM');
  t.is(code, 0);
  const second = await serve();
  t.is((await fetch(`${second.url}/readyz`)).status, 200);
  const loggedIn = await fetch(`${second.url}/login`, {
    method: 'POST',
    body: new URLSearchParams(account),
    redirect: 'manual',
  });
  const [cookie = ''] = (loggedIn.headers.get('set-cookie') ?? '').split(';');
  const findings = await fetch(`${second.url}/api/v1/findings`, { headers: { Cookie: cookie } });
  t.is(findings.status, 200);
  t.true(Object(await findings.json()).totalItems > 0);
});

test('the lists in SQL that the page shows are those of the example', async (t) => {
  const code = await readFile(join(source, 'sqlite-storage.js'), 'utf8');
  t.true(code.includes(block(documentText('storage.md'), 'js sqlite-storage.js')));
});

test('the module that the page shows is served, and closed', async (t) => {
  const directory = await customStorage(t);
  await writeFile(join(directory, 'my-storage.mjs'), block(documentText('storage.md'), 'js my-storage.mjs'));
  await writeFile(
    join(directory, 'open-database.mjs'),
    `import { openSqlite } from './sqlite-storage.js';
     export const openDatabase = async () => openSqlite(':memory:');`,
  );
  const { url, err, end } = await listen(t, ['--storage', join(directory, 'my-storage.mjs')]);
  t.true(err().includes('connected to the database'));
  t.is((await fetch(`${url}/readyz`)).status, 200);
  t.is((await end('SIGTERM')).code, 0);
});

test('the test of the example runs in a project of an outsider', async (t) => {
  const read = (name: string): Promise<string> => readFile(join(source, name), 'utf8');
  const names = ['sqlite-storage.js', 'open-for-tests.js', 'sqlite-storage.test.js'];
  const files = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await read(name)] as const)),
  );
  const project = await projectWith(t, files, ['fast-check', 'node-sqlite3-wasm']);
  const printed = await node(project, '--test', '--test-reporter=tap', 'sqlite-storage.test.js');
  t.regex(printed, /^# fail 0$/m);
});
