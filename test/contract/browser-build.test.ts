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
  t.true(gzipSync(script).length <= 10_000, `${gzipSync(script).length} bytes`);
});

test('decoding one resource costs a front end at most 6 kB, compressed', async (t) => {
  const { script } = await bundleForBrowsers(
    `import { decode, RepoList } from 'triage-api/contract';
    console.log(decode(RepoList, JSON.parse(document.body.textContent)));`,
    'esm',
  );
  const bytes = gzipSync(script).length;
  t.true(bytes > 1_000 && bytes <= 6_000, `${bytes} bytes`);
});

for (const entry of ['contract', 'client', 'fixtures', 'fetch-handler', 'msw']) {
  test(`what is imported from triage-api/${entry} and not used costs nothing`, async (t) => {
    for (const module of [
      `import 'triage-api/${entry}';`,
      `import * as unused from 'triage-api/${entry}';`,
    ]) {
      t.is((await bundleForBrowsers(module, 'esm')).script, '');
    }
  });
}

test('what needs Node does not', async (t) => {
  await t.throwsAsync(bundleForBrowsers(`export * from 'triage-api';`), {
    message: /Could not resolve "node:/,
  });
});
