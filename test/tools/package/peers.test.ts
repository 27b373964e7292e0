import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { transform } from 'esbuild';
import { block, documentText } from '../../_documented.js';
import { nodeOf, packed, run, typeProblems } from '../../_package.js';
import { directoryWith } from '../../fixtures/_directory.js';
import { toolFile } from '../_tools.js';

const latest = toolFile('node_modules/node-24/bin/node');
const node24 = existsSync(latest) ? latest : process.execPath;
const page = documentText('msw.md');

/** A client that keeps its cookie itself: MSW 3 keeps none in Node. */
const cookies = `
import { setupServer } from 'msw/node';
import { triageHandlers } from 'triage-api/msw';

const user = { email: 'kim@web.test', password: 'correct horse' };
const api = triageHandlers({ user }, { session: false });
setupServer(...api).listen();
const call = (path, headers, init) => fetch('https://app.example.com' + path, { headers, ...init });
const type = { 'Content-Type': 'application/json' };
const { headers } = await call('/login', type, { method: 'POST', body: JSON.stringify(user) });
const [cookie] = headers.getSetCookie()[0].split(';');
const status = async (path, headers, method = 'GET') => (await call(path, headers, { method })).status;
console.log(
  await status('/api/v1/prs', { Authorization: 'Bearer ' + api.token }),
  await status('/session', { Cookie: 'session=wrong' }),
  await status('/session', { Cookie: cookie }),
  await status('/logout', { Cookie: cookie }, 'POST'),
  await status('/session', { Cookie: cookie }),
);
`;

const conformance = `
import { storageConformance } from 'triage-api/storage/conformance';
import { openMyStorage } from './my-storage.mjs';

for (const { run } of storageConformance(openMyStorage)) await run();
console.log('conforms');
`;

/** Each optional package, and the entry that uses it. */
const entries = {
  'msw@': 'msw',
  'fast-check@': 'storage/conformance',
  '@playwright/test@': 'playwright',
};

const options = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
  module: 'nodenext',
  lib: ['es2023', 'dom'],
};

/** Other major versions than those that this project uses, and the oldest ones. */
for (const installed of [
  ['msw@3.0.5', 'fast-check@3.0.0'],
  ['msw@2.3.0', 'fast-check@3.23.2', '@playwright/test@1.40.0'],
  ['msw@1.3.5'],
]) {
  test(`npm installs the package without a complaint about it, and it works, beside ${installed.join(' and ')}`, async (t) => {
    const { code } = await transform(block(documentText('storage.md'), 'ts my-storage.ts'), { loader: 'ts' });
    const project = await directoryWith(t, {
      'server.test.mjs': block(page, 'js server.test.mjs'),
      'login.test.mjs': block(page, 'js login.test.mjs'),
      'cookies.mjs': cookies,
      'my-storage.mjs': code,
      'conformance.mjs': conformance,
      'package.json': '{ "type": "module" }',
    });
    const has = (name: string) => installed.some((each) => each.startsWith(name));
    const quiet = ['--save-exact', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
    // Those that are in the project first: npm must not refuse to add this package.
    for (const names of [installed, [await packed()]]) {
      const { stderr } = await run('npm', ['install', '--prefix', project, ...quiet, ...names], project);
      t.notRegex(stderr, /triage-api|ERESOLVE/);
    }
    t.regex(
      await nodeOf(node24, project, ['node_modules/triage-api/bin/triage-api.js', 'check']),
      /no problems/,
    );
    if (has('msw@1')) return;
    t.regex(
      await nodeOf(node24, project, ['--test', 'server.test.mjs', 'login.test.mjs']),
      /^# fail 0$|^ℹ fail 0$/m,
    );
    t.is(await nodeOf(node24, project, ['cookies.mjs']), '200 401 200 204 401\n');
    t.is(await nodeOf(node24, project, ['conformance.mjs']), 'conforms\n');
    const used = Object.entries(entries).flatMap(([name, entry]) => (has(name) ? [entry] : []));
    const imports = used.map((entry, n) => `export * as entry${n} from 'triage-api/${entry}';\n`);
    await writeFile(join(project, 'consumer.ts'), imports.join(''));
    t.is(await typeProblems(project, options), '');
  });
}
