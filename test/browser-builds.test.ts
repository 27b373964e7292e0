import { gzipSync } from 'node:zlib';
import test from 'ava';
import { bundleForBrowsers } from './_bundle.js';
import { documentText } from './_documented.js';

/** The packages and rooms of the files in a bundle. */
const partsOf = (inputs: readonly string[]): readonly string[] =>
  Array.from(
    new Set(
      inputs
        .filter((input) => input !== '<stdin>')
        .map(
          (input) =>
            /^(?:build\/src\/[\w-]+|node_modules\/(?:@[\w-]+\/)?[\w-]+)(?=\/)/.exec(input)?.[0] ?? input,
        ),
    ),
  ).sort();

test('the contract bundles for browsers, and nothing of the server comes along', async (t) => {
  const { script, inputs } = await bundleForBrowsers(`export * from 'triage-api/contract';`);
  t.deepEqual(partsOf(inputs), [
    'build/src/common',
    'build/src/contract',
    'node_modules/fp-ts',
    'node_modules/io-ts',
  ]);
  t.notRegex(script, /\brequire\(|\bprocess\./);
  t.true(gzipSync(script).length <= 10_000, `${gzipSync(script).length} bytes`);
});

test('to decode one resource adds at most 6 kB, compressed, to a front end', async (t) => {
  const { script } = await bundleForBrowsers(
    `import { decode, RepoList } from 'triage-api/contract';
    console.log(decode(RepoList, JSON.parse(document.body.textContent)));`,
    'esm',
  );
  const bytes = gzipSync(script).length;
  t.true(bytes > 1_000 && bytes <= 6_000, `${bytes} bytes`);
});

for (const entry of ['contract', 'client', 'fixtures', 'fetch-handler', 'msw', 'controls', 'states']) {
  test(`an unused import of triage-api/${entry} adds nothing to a bundle`, async (t) => {
    for (const module of [
      `import 'triage-api/${entry}';`,
      `import * as unused from 'triage-api/${entry}';`,
    ]) {
      t.is((await bundleForBrowsers(module, 'esm')).script, '');
    }
  });
}

test('the server, which needs Node, does not bundle for browsers', async (t) => {
  await t.throwsAsync(bundleForBrowsers(`export * from 'triage-api';`), {
    message: /Could not resolve "node:/,
  });
});

test('the client bundles for browsers without anything of the server', async (t) => {
  const { script, inputs } = await bundleForBrowsers(`export * from 'triage-api/client';`);
  const [, documented = ''] = /\((\d+) kB compressed/.exec(documentText('client.md')) ?? [];
  const size = gzipSync(script).length / 1000;
  t.true(size <= 14 && Math.abs(size - Number(documented)) < 1, `${size} kB, documented as ${documented} kB`);
  t.deepEqual(partsOf(inputs), [
    'build/src/client',
    'build/src/common',
    'build/src/contract',
    'node_modules/fp-ts',
    'node_modules/io-ts',
  ]);
});

test('the controls of a server elsewhere take at most 6 kB, compressed', async (t) => {
  const { script } = await bundleForBrowsers(`export * from 'triage-api/controls';`);
  t.true(gzipSync(script).length <= 6000, `${gzipSync(script).length} bytes`);
});

test('the states bundle for browsers without a module of Node, and the handler does not have them', async (t) => {
  const { script } = await bundleForBrowsers(`export * from 'triage-api/states';`, 'esm');
  t.notRegex(script, /\brequire\(|\bprocess\.|node:/);
  const { inputs } = await bundleForBrowsers(`export * from 'triage-api/fetch-handler';`, 'esm');
  t.deepEqual(
    inputs.filter((input) => input.includes('simulation/states')),
    [],
  );
});

test('the builders bundle for browsers without a module of Node', async (t) => {
  const { script, inputs } = await bundleForBrowsers(`export * from 'triage-api/fixtures';`);
  t.notRegex(script, /\brequire\(|\bprocess\.|node:/);
  t.deepEqual(
    inputs.filter((input) => !/^(?:build\/src|node_modules\/(?:fp-ts|io-ts)|<stdin>)/.test(input)),
    [],
  );
});

const own = [
  ...['accounts', 'api', 'common', 'contract', 'fixtures', 'pages', 'simulation', 'start', 'testing'],
].map((room) => `build/src/${room}`);

test('the handler bundles for browsers, and nothing of Node and of the server comes along', async (t) => {
  const entry = `export * from 'triage-api/fetch-handler';`;
  const { script, inputs, scripts } = await bundleForBrowsers(entry, 'esm');
  t.deepEqual(partsOf(inputs), [
    ...own,
    'node_modules/@noble/hashes',
    'node_modules/fp-ts',
    'node_modules/io-ts',
  ]);
  t.false(
    inputs.some((input) => /(?:read-fixtures|json-file|postgres|hash-password|platform\/node)/.test(input)),
  );
  t.notRegex(script, /\brequire\(|\bprocess\.|\bBuffer\b|["']node:/);
  for (const each of scripts) t.notRegex(each, /\bfrom ?["']node:/);
  const page = documentText('msw.md');
  const [, documented = ''] = /begins with (\d+) kB/.exec(page) ?? [];
  const size = gzipSync(script).length / 1000;
  t.true(Math.abs(size - Number(documented)) < 1 && size <= 72, `${size} kB, documented as ${documented} kB`);
});

test('the handlers for Mock Service Worker bundle like the handler, and themselves add little', async (t) => {
  const bundled = await bundleForBrowsers(
    `
    export { triageHandlers } from 'triage-api/msw';
    export { setupWorker } from 'msw/browser';
  `,
    'esm',
  );
  const parts = partsOf(bundled.inputs);
  t.deepEqual(
    parts.filter((part) => part.startsWith('build/')),
    own,
  );
  t.deepEqual(
    parts.filter((part) => /koa|lowdb|jsonc-parser|\bpg\b/.test(part)),
    [],
  );
  t.notRegex(bundled.script, /["']node:/);
});
