import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { exampleFiles } from '../_examples.js';
import { type Finished, runScript, toolFile } from './_tools.js';

const build = fileURLToPath(new URL('../../', import.meta.url));

const { 'verify.mjs': script = '', 'pact.json': pact = '' } = exampleFiles('pact');

/** Runs the example with a pact, in a directory where it finds this package and Pact. */
const verify = async (t: ExecutionContext, text: string): Promise<Finished> => {
  // Inside of the package, its own name leads to what it exports.
  const directory = await mkdtemp(join(build, 'pact-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  await symlink(toolFile('node_modules'), join(directory, 'node_modules'), 'junction');
  await writeFile(join(directory, 'verify.mjs'), script);
  await writeFile(join(directory, 'pact.json'), text);
  return runScript(join(directory, 'verify.mjs'), [], directory, { PACT_DO_NOT_TRACK: '1' });
};

test('Pact’s verifier finds the server as a pact describes it', async (t) => {
  const { code, out, err } = await verify(t, pact);
  t.is(code, 0, `${out}${err}`);
});

test('Pact’s verifier fails where a response differs', async (t) => {
  const { code, out, err } = await verify(t, pact.replace('"totalItems": 0', '"totalItems": 7'));
  t.is(code, 1);
  t.regex(`${out}${err}`, /Expected 0 \(Integer\) to be equal to 7/);
});

test('Pact’s verifier fails where a state has no handler', async (t) => {
  const { code, out, err } = await verify(t, pact.replace('a tenant with no findings', 'no such state'));
  t.is(code, 1);
  t.regex(`${out}${err}`, /no such state/);
  t.regex(`${out}${err}`, /expected 200 but was 401/);
});
