import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import { startTriageApi } from '../src/testing/server.js';
import { block, documentText } from './_documented.js';
import { exampleFiles } from './_examples.js';

/** What the documents show of tenants on demand, executed. */
const root = fileURLToPath(new URL('../../', import.meta.url));
const simulate = documentText('simulate.md');

/** A text in which everything that is made at random looks the same. */
const withoutChance = (text: string): unknown =>
  JSON.parse(text, (key, value: unknown) =>
    typeof value === 'string' &&
    ['id', 'userId', 'email', 'session', 'token', 'password', 'createdAt', 'expiresAt'].includes(key)
      ? value
          .replace(/^\d{4}-.*Z$/, '…')
          .replace(/[\w-]{43}$|(?<=^usr_)[\w-]{12}$|(?<=-)[0-9a-f]{16}(?=@)/, '…')
      : value,
  );

test('the tenant that simulate.md shows is made', async (t) => {
  const { url, stop } = await startTriageApi({ now: '2026-11-20T12:00:00Z' });
  t.teardown(stop);
  const [command = '', ...output] = block(simulate, 'console tenants').split('\n');
  const [, type = '', body = '', path = ''] =
    /^\$ curl -H 'Content-Type: (.*?)' -d '(.*)' 'http:\/\/127\.0\.0\.1:4000(.*)'$/.exec(command) ?? [];
  const answer = await fetch(`${url}${path}`, { method: 'POST', headers: { 'Content-Type': type }, body });
  t.deepEqual(withoutChance(await answer.text()), withoutChance(output.join('\n')));
});

test('the tests of tenants that the pages show pass', async (t) => {
  // Inside of the package, its own name leads to what it exports.
  const directory = await mkdtemp(join(root, 'build', 'tenants-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const file = join(directory, 'tenants.test.mjs');
  await writeFile(file, block(simulate, 'js tenants.test.mjs'));
  const { stdout } = await promisify(execFile)(process.execPath, ['--test', '--test-reporter=tap', file], {
    timeout: 600_000,
  }).catch((failed: unknown) => Object(failed));
  t.regex(stdout, /^# fail 0$/m, stdout);
  t.regex(stdout, /^# pass [1-9]/m, stdout);
});

test('the page on verify shows the example that is run with Pact’s verifier', (t) => {
  t.is(exampleFiles('pact')['verify.mjs'], block(documentText('verify.md'), 'js verify.mjs'));
});
