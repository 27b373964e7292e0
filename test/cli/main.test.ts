import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import test from 'ava';

/** Starts the compiled modules, of which the bundle is made, in a process of their own. */
const module = new URL('../../src/cli/main.js', import.meta.url).href;
const node = ['--input-type=module', '-e', `(await import('${module}')).main(process);`, 'triage-api'];

test('the program prints, and ends with its exit code', async (t) => {
  const { stdout } = await promisify(execFile)(process.execPath, [...node, '--version']);
  t.regex(stdout, /^\d+\.\d+\.\d+\n$/);
  const refused = await t.throwsAsync(promisify(execFile)(process.execPath, [...node, 'chek']));
  t.is(Object(refused).code, 2);
  t.regex(Object(refused).stderr, /^error: unknown command 'chek'/);
});

test('a reader that closes the output early gets no error', async (t) => {
  const command = `'${process.execPath}' ${node.map((word) => `"${word.replaceAll('"', '\\"')}"`).join(' ')} openapi | head -1`;
  const { stdout, stderr } = await promisify(execFile)('sh', ['-c', command]);
  t.deepEqual([stdout, stderr], ['{\n', '']);
});
