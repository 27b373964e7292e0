import { gzipSync } from 'node:zlib';
import test from 'ava';
import { bundleForBrowsers } from './_bundle.js';

test('the contract bundles for browsers, and nothing of the server comes along', async (t) => {
  const { script, inputs } = await bundleForBrowsers(`export * from 'triage-api/contract';`);
  const rooms = new Set(
    inputs
      .filter((input) => input !== '<stdin>')
      .map((input) => /^(?:build\/src\/[\w-]+|node_modules\/[\w-]+)(?=\/)/.exec(input)?.[0] ?? input),
  );
  t.deepEqual([...rooms].sort(), [
    'build/src/codecs',
    'build/src/common',
    'build/src/contract',
    'node_modules/fp-ts',
    'node_modules/io-ts',
  ]);
  t.notRegex(script, /\brequire\(|\bprocess\./);
  t.true(gzipSync(script).length < 40_000, `${gzipSync(script).length} bytes`);
});

test('what needs Node does not', async (t) => {
  await t.throwsAsync(bundleForBrowsers(`export * from 'triage-api';`), {
    message: /Could not resolve "node:/,
  });
});
