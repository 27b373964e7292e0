import test from 'ava';
import { bundleForBrowsers } from '../contract/_bundle.js';

test('the builders bundle for browsers without a module of Node', async (t) => {
  const { script, inputs } = await bundleForBrowsers(`export * from 'triage-api/fixtures';`);
  t.notRegex(script, /\brequire\(|\bprocess\.|node:/);
  t.deepEqual(
    inputs.filter((input) => !/^(?:build\/src|node_modules\/(?:fp-ts|io-ts)|<stdin>)/.test(input)),
    [],
  );
});
