import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { transform } from 'esbuild';
import { block, documentText } from '../_documented.js';
import { projectWith } from '../_package.js';
import { findChromium } from '../browser/_chromium.js';
import { projectWithStorage } from '../storage-kit/conformance/_documented-storage.js';
import { forJest, run, withEsm } from './_run.js';
import { addRunners, runners } from './_runners.js';

const [storage, testing] = [documentText('storage.md'), documentText('testing.md')];

test('the storage suite runs with Vitest, Jest and ava as its page says', async (t) => {
  const vitest = block(storage, 'ts vitest');
  const project = await projectWithStorage(t, {
    'vitest.test.js': vitest,
    'jest.test.js': forJest(vitest),
    'ava.js': block(storage, 'ts ava'),
  });
  await addRunners(project);
  const manifest = JSON.parse(block(testing, 'json jest'));
  await writeFile(join(project, 'package.json'), JSON.stringify(manifest));
  for (const [words, passed] of [
    [[runners.vitest, 'run', 'vitest.test.js'], /Tests {2}3\d passed \(3\d\)/],
    [[withEsm, runners.jest, 'jest.test.js'], /^Tests: +3\d passed, 3\d total$/m],
    // On a busy machine, more than the usual ten seconds may pass between two tests.
    [[runners.ava, '--timeout=5m', 'ava.js'], /3\d tests passed/],
  ] as const) {
    const { code, out } = await run(project, ...words);
    t.is(code, null, out);
    t.regex(out, passed);
  }
});

/** The contract as unit tests of a function, for a runner that is imported like this. */
const contract = (importTest: string): string => `
${importTest}
import { readFileSync } from 'node:fs';
import { fetchHandler } from 'triage-api/fetch-handler';
import { contractTests } from 'triage-api/verify';

const acme = JSON.parse(readFileSync(new URL('node_modules/triage-api/fixtures/acme.json', import.meta.url), 'utf8'));
const options = { fetch: fetchHandler(acme), session: 'acme-session', token: 'acme-token' };
for (const { name, run } of contractTests(options)) test(name, run);
`;

test('the contract as unit tests passes with Vitest, Jest, ava and node:test, which skip what they can', async (t) => {
  const project = await projectWith(
    t,
    {
      'vitest.test.js': contract("import { test } from 'vitest';"),
      'jest.test.js': contract("import { test } from '@jest/globals';"),
      'ava.js': contract("import test from 'ava';"),
      'node.js': contract("import { test } from 'node:test';"),
      'package.json': block(testing, 'json jest'),
    },
    ['ava'],
  );
  await addRunners(project);
  for (const [words, passed] of [
    [[runners.vitest, 'run', 'vitest.test.js'], /Tests {2}1\d\d passed \| \d+ skipped \(213\)/],
    [[withEsm, runners.jest, 'jest.test.js'], /^Tests: +213 passed, 213 total$/m],
    [[runners.ava, '--timeout=5m', 'ava.js'], /213 tests passed/],
    [['--test', 'node.js'], /^\S+ fail 0$[\s\S]*^\S+ skipped [1-9]\d*$/m],
  ] as const) {
    const { code, out } = await run(project, ...words);
    t.is(code, null, out);
    t.regex(out, passed);
  }
});

test('the examples of the page on testing pass with Vitest and Jest', async (t) => {
  const [example, dom] = [
    block(testing, 'js vitest.test.mjs'),
    block(testing, 'js vitest happy-dom.test.mjs'),
  ];
  const timers = block(testing, 'ts vitest fake-timers.test.ts');
  const { code: plain } = await transform(forJest(timers), { loader: 'ts', target: 'node20' });
  const project = await projectWith(t, {
    'client.mjs': block(testing, 'js client.mjs'),
    'vitest.test.mjs': example,
    'vitest-dom.test.mjs': dom,
    'vitest-fake-timers.test.ts': timers,
    'jest.test.mjs': forJest(example),
    'jest-dom.test.mjs': forJest(dom),
    'jest-fake-timers.test.mjs': plain,
    'package.json': block(testing, 'json jest'),
  });
  await addRunners(project);
  for (const [words, passed] of [
    [[runners.vitest, 'run', 'vitest'], /Tests {2}4 passed \(4\)/],
    [[withEsm, runners.jest, '/jest'], /^Tests: +4 passed, 4 total$/m],
  ] as const) {
    const { code, out } = await run(project, ...words);
    t.is(code, null, out);
    t.regex(out, passed);
  }
});

test('tests in CommonJS use a server that Jest starts before them', async (t) => {
  const project = await projectWith(t, {
    'start-api.mjs': block(testing, 'js jest start-api.mjs'),
    'stop-api.mjs': block(testing, 'js jest stop-api.mjs'),
    'commonjs.test.cjs': block(testing, 'js jest commonjs.test.cjs'),
    'package.json': block(testing, 'json jest commonjs'),
  });
  await addRunners(project);
  const { code, out } = await run(project, runners.jest);
  t.is(code, null, out);
  t.regex(out, /^Tests: +1 passed, 1 total$/m);
});

const browserTest = `
import { expect, test } from 'vitest';
import { api } from './browser.mjs';

test('the worker answers', async () => {
  expect((await fetch('/api/v1/findings')).status).toBe(200);
  expect(api.requests().length).toBe(1);
});
`;

test('the worker of the page on MSW runs in the browser mode of Vitest', async (t) => {
  const msw = documentText('msw.md');
  const launchOptions = { executablePath: findChromium(), args: ['--no-sandbox'] };
  const project = await projectWith(t, {
    'browser.mjs': block(msw, 'js browser.mjs'),
    'browser.test.mjs': browserTest,
    'vite.config.mjs': block(msw, 'js vite.config.mjs'),
    'vitest.config.mjs': `
import { playwright } from '@vitest/browser-playwright';
import { mergeConfig } from 'vite';
import config from './vite.config.mjs';

const provider = playwright({ launchOptions: ${JSON.stringify(launchOptions)} });
const browser = { enabled: true, headless: true, provider, instances: [{ browser: 'chromium' }] };
// The runners are links to a folder elsewhere.
export default mergeConfig(config, { server: { fs: { strict: false } }, test: { browser } });
`,
  });
  await addRunners(project);
  const { code, out } = await run(project, runners.vitest, 'run');
  t.is(code, null, out);
  t.regex(out, /Tests {2}1 passed \(1\)/);
});
