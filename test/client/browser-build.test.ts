import test from 'ava';
import { bundleForBrowsers } from '../contract/_bundle.js';

test('the client bundles for browsers without anything of the server', async (t) => {
  const { inputs } = await bundleForBrowsers(`export { createClient, fetchSend } from 'triage-api/client';`);
  const rooms = new Set(
    inputs.map((path) =>
      path
        .split('/')
        .slice(0, path.startsWith('node_modules/') ? 2 : 3)
        .join('/'),
    ),
  );
  t.deepEqual([...rooms].filter((room) => room !== '<stdin>').sort(), [
    'build/src/client',
    'build/src/codecs',
    'build/src/common',
    'build/src/contract',
    'node_modules/fp-ts',
    'node_modules/io-ts',
  ]);
});
