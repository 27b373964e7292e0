import test from 'ava';
import { operations } from '../../src/contract/operations.js';
import { type JudgedServer, startJudgedServer } from './_judged-server.js';
import { runTool, toolFile } from './_tools.js';

type Result = Readonly<{ code: string; path: readonly string[] }>;

/** What Spectral’s rules for OpenAPI say of a document, down to hints: its exit code, and what it found. */
const lint = async ({ directory }: JudgedServer, document: string) => {
  const settings = ['--ruleset', toolFile('spectral.json'), '--fail-severity', 'hint'];
  const { code, out } = await runTool(
    'spectral',
    ['lint', document, ...settings, '--format', 'json', '--quiet'],
    directory,
  );
  const results: readonly Result[] = JSON.parse(out);
  return { code, found: results.map((result) => `${result.code} ${result.path.join(' ')}`) };
};

test('Spectral has no complaint about the document that is served', async (t) => {
  const server = await startJudgedServer(t);
  t.deepEqual(await lint(server, server.documentUrl), { code: 0, found: [] });
});

test('Spectral notices operations without a description, wrong examples and a missing contact', async (t) => {
  const server = await startJudgedServer(t);
  const document = await server.changedDocument(({ info, paths }) => {
    delete info.contact;
    for (const { get } of Object.values(paths)) delete get.description;
    Object(Object(paths['/api/v1/prs']?.get.parameters)[0]).example = 'one';
  });
  const { code, found } = await lint(server, document);
  t.is(code, 1);
  t.deepEqual(
    found.sort(),
    [
      'info-contact info',
      ...Object.values(operations).map(({ path }) => `operation-description paths ${path} get`),
      'oas3-valid-media-example paths /api/v1/prs get parameters 0 example',
    ].sort(),
  );
});
