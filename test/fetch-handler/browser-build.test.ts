import { gzipSync } from 'node:zlib';
import test from 'ava';
import { documentText } from '../_documented.js';
import { bundleForBrowsers } from '../contract/_bundle.js';

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

const own = [
  ...['accounts', 'advisories', 'api', 'codecs', 'common', 'completion', 'contract', 'fetch-handler'],
  ...['in-process', 'live-fixtures', 'platform', 'protocol', 'records', 'simulation', 'storage'],
].map((room) => `build/src/${room}`);

test('the handler bundles for browsers, and nothing of Node and of the server comes along', async (t) => {
  const { script, inputs } = await bundleForBrowsers(`export * from 'triage-api/fetch-handler';`);
  t.deepEqual(partsOf(inputs), [...own, 'node_modules/fp-ts', 'node_modules/io-ts']);
  t.false(
    inputs.some((input) => /(?:read-fixtures|json-file|postgres|hash-password|platform\/node)/.test(input)),
  );
  t.notRegex(script, /\brequire\(|\bprocess\.|\bBuffer\b|["']node:/);
  const page = documentText('fetch-handler.md');
  const [, documented = ''] = /takes (\d+) kB/.exec(page) ?? [];
  const size = gzipSync(script).length / 1000;
  t.true(Math.abs(size - Number(documented)) < 5, `${size} kB, documented as ${documented} kB`);
});

test('so do the handlers for Mock Service Worker, which themselves add little', async (t) => {
  const bundled = await bundleForBrowsers(`
    export { triageHandlers } from 'triage-api/msw';
    export { setupWorker } from 'msw/browser';
  `);
  const parts = partsOf(bundled.inputs);
  t.deepEqual(
    parts.filter((part) => part.startsWith('build/')),
    [...own, 'build/src/msw'].sort(),
  );
  t.deepEqual(
    parts.filter((part) => /koa|lowdb|jsonc-parser|rate-limiter|\bpg\b/.test(part)),
    [],
  );
  t.notRegex(bundled.script, /["']node:/);
});
