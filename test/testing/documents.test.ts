import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { HandlerOptions } from '../../src/testing/test-options.js';
import { block, documentText } from '../_documented.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Writes the examples of a document into a folder inside of the package, whose name leads to its exports. */
const examplesOf = async (t: ExecutionContext, document: string): Promise<string> => {
  const folder = await mkdtemp(join(root, 'build', 'examples-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  for (const [, name = '', text = ''] of documentText(document).matchAll(/^```js (\S+)\n([\s\S]*?)^```$/gm))
    await writeFile(join(folder, name), text);
  return folder;
};

for (const [document, count] of [
  ['msw.md', 5],
  ['compared-with.md', 1],
  ['simulate.md', 3],
] as const) {
  test(`the tests of ${document} pass`, async (t) => {
    const folder = await examplesOf(t, document);
    const files = (await readdir(folder)).filter((name) => name.endsWith('.test.mjs'));
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--test', '--test-reporter=tap', ...files.map((name) => join(folder, name))],
      { timeout: 600_000 },
    ).catch((failed: unknown) => Object(failed));
    t.regex(stdout, new RegExp(`^# pass ${count}$`, 'm'), stdout);
  });
}

test('elsewhere.mjs of testing.md prints what the page says', async (t) => {
  const folder = await examplesOf(t, 'testing.md');
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'elsewhere.mjs')]);
  t.is(stdout, block(documentText('testing.md'), 'text elsewhere'));
});

test('the other examples answer the API', async (t) => {
  const folder = await examplesOf(t, 'msw.md');
  // As much of Hono as the example needs: the test is about the handler.
  await mkdir(join(folder, 'node_modules', 'hono'), { recursive: true });
  await writeFile(join(folder, 'node_modules', 'hono', 'package.json'), '{ "exports": "./hono.mjs" }');
  await writeFile(
    join(folder, 'node_modules', 'hono', 'hono.mjs'),
    `export class Hono {
       all(path, answer) { this.fetch = (raw) => answer({ req: { raw } }); return this; }
     }`,
  );
  await writeFile(
    join(folder, 'all.mjs'),
    `import assert from 'node:assert/strict';
     import { GET, HEAD, OPTIONS } from './route.mjs';
     import hono from './hono.mjs';
     import worker from './worker.mjs';
     const listeners = [];
     globalThis.self = { addEventListener: (_, listener) => listeners.push(listener), location: new URL('http://a.test/') };
     await import('./service-worker.mjs');
     const served = (request) => {
       let answer;
       listeners[0]({ request, respondWith: (response) => { answer = response; } });
       return answer;
     };
     const to = (url) => new Request(url);
     for (const handle of [GET, hono.fetch, worker.fetch, served])
       assert.equal((await handle(to('http://a.test/api/v1/repos'))).status, 200);
     assert.equal((await HEAD(new Request('http://a.test/api/v1/repos', { method: 'HEAD' }))).status, 200);
     assert.equal((await OPTIONS(new Request('http://a.test/api/v1/repos', { method: 'OPTIONS' }))).status, 204);
     assert.equal(served(to('http://b.test/api/v1/repos')), undefined);`,
  );
  await t.notThrowsAsync(
    promisify(execFile)(process.execPath, [pathToFileURL(join(folder, 'all.mjs')).pathname]),
  );
});

test('the page names every option', async (t) => {
  const page = documentText('msw.md');
  for (const name of Object.keys(HandlerOptions.props)) t.true(page.includes(`\`${name}\``), name);
});
