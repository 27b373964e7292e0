import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { everyMust, verifyCore } from '../_core-example.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const example = join(root, 'examples/core/server.js');

test('the service of rows alone that the README shows keeps every must of the contract', async (t) => {
  t.regex(await verifyCore(t, example), everyMust);
});

test('the README shows how the example is composed', async (t) => {
  const [readme, program] = await Promise.all(
    [join(root, 'README.md'), example].map((file) => readFile(file, 'utf8')),
  );
  for (const line of program?.match(/^(?:import|export) .*$/gm) ?? []) t.true(readme?.includes(line), line);
});

test('invalid tenants of the core are refused, with every problem', async (t) => {
  const { memory } = await import('triage-api/core');
  t.throws(() => memory([{ userId: 'ann', sessions: { s: 'tomorrow' }, tokens: {}, repos: [{}] }]), {
    instanceOf: TypeError,
    message: /sessions\/s: .*\n[\s\S]*repos\/0\/id/,
  });
});
