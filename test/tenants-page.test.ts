import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import { shippedProviderStates } from '../src/simulation/shipped-provider-states.js';
import { startTriageApi } from '../src/test-server/index.js';
import { block, documentText } from './_documented.js';

/** What the documents show of tenants on demand and of Pact, executed. */
const root = fileURLToPath(new URL('../../', import.meta.url));
const [simulate, pact] = [documentText('simulate.md'), documentText('pact.md')];

/** A text in which everything that is made at random looks the same. */
const withoutChance = (text: string): unknown =>
  JSON.parse(text, (key, value: unknown) =>
    typeof value === 'string' && ['id', 'userId', 'email', 'session', 'token', 'password'].includes(key)
      ? value.replace(/[\w-]{43}$|(?<=^usr_)[\w-]{12}$|(?<=-)[0-9a-f]{16}(?=@)/, '…')
      : value,
  );

for (const [name, text, info] of [
  ['simulate.md', simulate, 'console tenants'],
  ['pact.md', pact, 'console pact'],
] as const) {
  test(`the tenant that ${name} shows is made`, async (t) => {
    const { url, stop } = await startTriageApi({ now: '2026-11-20T12:00:00Z' });
    t.teardown(stop);
    const [command = '', ...output] = block(text, info).split('\n');
    const [, type = '', body = '', path = ''] =
      /^\$ curl -H 'Content-Type: (.*?)' -d '(.*)' 'http:\/\/127\.0\.0\.1:4000(.*)'$/.exec(command) ?? [];
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': type },
      body,
    });
    t.deepEqual(withoutChance(await answer.text()), withoutChance(output.join('\n')));
  });
}

test('the tests that the pages show pass', async (t) => {
  // Inside of the package, its own name leads to what it exports.
  const directory = await mkdtemp(join(root, 'build', 'tenants-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const files = { 'tenants.test.mjs': simulate, 'pact.test.mjs': pact };
  for (const [name, text] of Object.entries(files))
    await writeFile(join(directory, name), block(text, `js ${name}`));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--test', '--test-reporter=tap', ...Object.keys(files).map((name) => join(directory, name))],
    { timeout: 600_000 },
  ).catch((failed: unknown) => Object(failed));
  t.regex(stdout, /^# fail 0$/m, stdout);
  t.regex(stdout, /^# pass [1-9]/m, stdout);
});

test('the states of docs/pact.md fit the fixtures of the package, and those that are shipped are listed', async (t) => {
  const providerStates = JSON.parse(block(pact, 'json provider-states'));
  const api = await startTriageApi({ providerStates });
  t.teardown(api.stop);
  for (const state of Object.keys(providerStates)) {
    const answer = await fetch(`${api.url}/__admin/pact/provider-states`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ state, action: 'setup' }),
    });
    t.is(answer.status, 200, await answer.text());
  }
  const listed = Array.from(pact.matchAll(/^\| `(\w+ [\w ]+)` \|/gm), ([, name]) => name);
  t.deepEqual(listed.sort(), Array.from(shippedProviderStates.keys()).sort());
});

test('docs/pact.md shows what is run with Pact’s verifier', async (t) => {
  const script = await readFile(join(root, 'examples/third-party-tools/verify-pact.mjs'), 'utf8');
  t.is(script.slice(script.indexOf('import')), block(pact, 'js verify-pact.mjs'));
  const { interactions } = JSON.parse(
    await readFile(join(root, 'examples/third-party-tools/pact.json'), 'utf8'),
  );
  t.deepEqual(
    interactions.find(
      ({ description }: Record<string, unknown>) => description === 'the details of a finding',
    ).request,
    JSON.parse(block(pact, 'json pact')),
  );
});
