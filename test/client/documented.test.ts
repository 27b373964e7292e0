import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const page = readFileSync(join(root, 'docs/client.md'), 'utf8');
const example = (name: string): string =>
  new RegExp(`^\`\`\`js ${name}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page)?.[1] ?? '';

for (const [name, expected] of [
  ['example.mjs', /^```text\n([\s\S]*?)^```$/m.exec(page)?.[1] ?? ''],
  ['sender.mjs', `${/prints `(\{.*\})`\./.exec(page)?.[1]}\n`],
] as const) {
  test(`${name} of docs/client.md prints what the page says`, async (t) => {
    // Inside the package, its own name resolves to its exports.
    const directory = await mkdtemp(join(root, 'build', 'documents-'));
    t.teardown(() => rm(directory, { recursive: true, force: true }));
    await writeFile(join(directory, name), example(name));
    const { stdout } = await promisify(execFile)(process.execPath, [join(directory, name)]);
    t.not(expected, '');
    t.is(stdout, expected);
  });
}
