import test from 'ava';
import { withPostgres } from '../postgres/_postgres.js';
import { type Copy, copyOfSource } from './_copy.js';

// Follows docs/architecture.md, in a copy of the source: what it shows is all that has to be changed by hand.

const { emptyDatabase } = withPostgres(test);

const field = 'firstPatchedVersion';
const severity = 'negligible';

const compile = ({ node }: Copy): Promise<string> => node('node_modules/typescript/bin/tsc', '-p', '.');

const build = async (copy: Copy): Promise<void> => {
  await compile(copy);
  await copy.node('build/test/openapi/_write-derived.js');
  await compile(copy);
  await copy.node('scripts/copy-assets.js');
  await copy.node('build/scripts/write-examples.js');
  await copy.node('build/scripts/write-bundle.js');
};

const verify = ({ node }: Copy, url: string): Promise<string> => {
  const ofAcme = ['--session', 'acme-session', '--token', 'acme-token'];
  const ofAnother = ['--other-session', 'demo-session', '--other-token', 'demo-token'];
  return node('bin/triage-api.js', 'verify', '--url', url, ...ofAcme, ...ofAnother);
};

const read = async (url: string, path: string): Promise<string> => {
  const answer = await fetch(`${url}${path}`, { headers: { Cookie: 'session=acme-session' } });
  return answer.text();
};

test('the recipes for a field and for a value of an enum are all that there is to do', async (t) => {
  t.timeout(1_800_000);
  const copy = await copyOfSource(t);
  // Who only adds the codecs is told what else has to be known of the field.
  const codecs = await copy.follow('## Adding a field', 0, 2);
  const { message } = (await t.throwsAsync(compile(copy))) ?? { message: '' };
  for (const file of ['src/api/row-records.ts', 'src/pages/explorer/findings-pages.ts'])
    t.regex(message, new RegExp(`^${file}.*${field}`, 'm'));
  const ofField = new Set([...codecs, ...(await copy.follow('## Adding a field', 2))]);
  const ofValue = await copy.follow('### A value of an enum');
  t.true(ofField.size <= 8, Array.from(ofField).join(', '));
  t.true(ofValue.length > 0 && ofValue.length <= 6, ofValue.join(', '));
  await build(copy);

  const ava = ['node_modules/ava/entrypoints/cli.mjs', '--serial', '--concurrency', '1'];
  for (const storage of ['fixtures', 'postgres'])
    t.regex(await copy.node(...ava, `test/${storage}/conformance.test.ts`), /\d+ tests passed/);

  const database = await emptyDatabase(t);
  await copy.node('bin/triage-api.js', 'db', 'migrate', '--database-url', database);
  await copy.node('bin/triage-api.js', 'db', 'import', 'fixtures', '--database-url', database);
  for (const words of [[], ['--database-url', database]]) {
    const url = await copy.serve(t, ...words);
    t.regex(await verify(copy, url), /keeps the contract/);
    for (const path of ['/api/v1/findings/fix_0001', '/api/v1/findings?limit=100'])
      t.true((await read(url, path)).includes(`"${field}":"4.17.21"`), path);
    t.true((await read(url, '/api/v1/findings?limit=100')).includes(`"${field}":null`));
    t.is(JSON.parse(await read(url, `/api/v1/findings?severity=${severity}`)).items.length, 0);
  }

  const url = await copy.serve(t);
  for (const path of ['/explore/findings?limit=100', '/explore/findings/fix_0001']) {
    const page = await read(url, path);
    t.true(page.includes(field) && page.includes('<bdi>4.17.21</bdi>'), path);
  }
  t.true((await read(url, '/explore/findings')).includes(`severity=${severity}`));

  const { schemas } = JSON.parse(await copy.node('bin/triage-api.js', 'openapi')).components;
  for (const name of ['Finding', 'FindingDetail']) {
    const { type, examples } = schemas[name].properties[field];
    t.deepEqual([type, examples], [['string', 'null'], ['4.17.21']], name);
    t.true(schemas[name].required.includes(field), name);
  }
  t.true(schemas.Severity.enum.includes(severity));

  await copy.node('bin/triage-api.js', 'generate', 'build/generated', '--findings', '20', '--seed', '1');
  t.regex(await copy.node('-p', generated), /^(?:null,){19}null$/m);
});

/** The field in each finding of the generated tenant. */
const generated = `require('node:fs').readdirSync('build/generated').flatMap((file) =>
  JSON.parse(require('node:fs').readFileSync('build/generated/' + file, 'utf8')).fixDrafts)
  .map((draft) => JSON.stringify(draft.${field})).join()`;
