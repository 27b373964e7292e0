import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { type JudgedServer, startJudgedServer } from './_judged-server.js';
import { type Finished, runTool, toolFile } from './_tools.js';

const pact = toolFile('pact.json');

const verify = ({ url, directory }: JudgedServer, file: string): Promise<Finished> =>
  runTool('pact', [url, file], directory, { PACT_DO_NOT_TRACK: '1' });

/** The pact after a change of its text. */
const changed = async ({ directory }: JudgedServer, before: string, after: string): Promise<string> => {
  const text = await readFile(pact, 'utf8');
  const file = join(directory, 'changed.json');
  await writeFile(file, text.replace(before, after));
  return file;
};

const left = async ({ url }: JudgedServer): Promise<readonly unknown[]> =>
  Promise.all(['faults', 'tenants'].map(async (what) => (await fetch(`${url}/__admin/${what}`)).json()));

test('Pact’s verifier finds the server as a pact describes it, and leaves nothing behind', async (t) => {
  const server = await startJudgedServer(t);
  const { code, out, err } = await verify(server, pact);
  t.is(code, 0, `${out}${err}`);
  t.deepEqual(await left(server), [[], []]);
});

test('Pact’s verifier fails where a response differs, and where a state is unknown', async (t) => {
  const server = await startJudgedServer(t);
  const other = await verify(server, await changed(server, '"totalItems": 0', '"totalItems": 7'));
  t.is(other.code, 1);
  t.regex(`${other.out}${other.err}`, /Expected 0 \(Integer\) to be equal to 7/);
  const unknown = await verify(server, await changed(server, 'a tenant with no findings', 'no such state'));
  t.is(unknown.code, 1);
  t.regex(`${unknown.out}${unknown.err}`, /no such state/);
});
