import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { block, documentText } from '../_documented.js';
import { node, projectWith, typeProblems } from '../_package.js';

const script = `
import { startTriageApi } from 'triage-api';
import { decode, RepoList } from 'triage-api/contract';
import { createClient } from 'triage-api/client';
import { connectControls } from 'triage-api/controls';
import { finding, tenant, writeFixture } from 'triage-api/fixtures';
import * as storage from 'triage-api/storage';
import { storageConformance } from 'triage-api/storage/conformance';
import { contractTests } from 'triage-api/verify';
import acme from 'triage-api/fixtures/acme.json' with { type: 'json' };
import scenario from 'triage-api/fixtures/scenarios/acme.json' with { type: 'json' };
import manifest from 'triage-api/package.json' with { type: 'json' };

const fixtures = tenant({ findings: [finding({ severity: 'critical' })] });
await writeFixture('fixtures/mine.json', fixtures);
const { url, session, stop } = await startTriageApi({ fixtures: 'fixtures' });
const repos = await createClient({ baseUrl: url, session }).listConnectedRepos();
const answer = await fetch(url + '/api/v1/repos', { headers: { Cookie: 'session=' + session } });
const decoded = decode(RepoList, await answer.json());
const docs = await fetch(url + '/docs');
await connectControls({ url }).faults.clear();
await stop();
for (const options of [{ fixtures: acme }, { scenario }]) await (await startTriageApi(options)).stop();
const judged = await startTriageApi();
const [checked] = contractTests({ url: judged.url, session: judged.session, token: judged.token });
await checked.run();
await judged.stop();
console.log(answer.status, decoded._tag, repos.length, docs.status, storage.maxSessions, typeof storageConformance, manifest.name);
`;

test('every entry of the package that is published can be imported, and a server of it ends by itself', async (t) => {
  const project = await projectWith(t, { 'script.js': script }, ['fast-check']);
  t.is(await node(project, '--no-warnings', 'script.js'), '200 Right 1 200 500 function triage-api\n');
  t.regex(
    await node(project, 'node_modules/triage-api/bin/triage-api.js', 'check'),
    /5 tenants, no problems/,
  );
});

const consumer = `
import { type FixtureData, startTriageApi, type TriageApi } from 'triage-api';
import { type Client, createClient } from 'triage-api/client';
import { decode, type Finding, FindingPage, operations, type Severity } from 'triage-api/contract';
import { type AnyControls, connectControls } from 'triage-api/controls';
import { finding, many, pullRequest, repo, scan, type TenantData, tenant } from 'triage-api/fixtures';
import acme from 'triage-api/fixtures/acme.json' with { type: 'json' };
import scenario from 'triage-api/fixtures/scenarios/acme.json' with { type: 'json' };
import type { Storage } from 'triage-api/storage';
import { type ConformanceCase, storageConformance } from 'triage-api/storage/conformance';
import { type ContractTest, contractTests } from 'triage-api/verify';

export const tests: readonly ContractTest[] = contractTests({ fetch, session: 'a', token: 'b' });
const fixtures: FixtureData = { user: { id: 'a', email: 'a@team.test', name: 'A', password: 'secret' } };
export const findings = async (): Promise<readonly Finding[]> => {
  const server: TriageApi = await startTriageApi({ fixtures, now: new Date(0) });
  const answer = await fetch(server.url + operations.listFindings.path);
  const page = decode(FindingPage, await answer.json());
  await server.stop();
  return page._tag === 'Right' ? page.right.items : [];
};
export const signedIn = async (): Promise<boolean> => {
  await using api = await startTriageApi({ port: 0 });
  return (await api.fetch('/session', { tenant: null, headers: { Accept: 'application/json' } })).ok;
};
const client: Client = createClient({ baseUrl: 'http://127.0.0.1:4000', fetch });
export const high = client.listFindings({ severity: 'high', limit: 10 });
export const worst: Severity = 'critical';
export const seen = async (seenAt: string): Promise<Finding[]> => {
  const { items } = await client.listFindings();
  return [...items, { ...(await client.getFinding('fix_1')), discoveredAt: seenAt, reconciledAt: null }];
};
export const cases = (storage: Storage): readonly ConformanceCase[] =>
  storageConformance(async () => ({ storage, close: async () => {} }));
const web = repo({ repo: 'acme/web', scans: [scan({ status: 'failed' })] });
const found = finding({ repo: web, severity: 'low', pullRequest: pullRequest({ prState: null }) });
export const built: TenantData = tenant({
  seed: 7,
  user: { name: 'Kit' },
  sessions: [{ value: 'mine' }],
  findings: [found, { package: 'lodash', repo: 'acme/api' }, ...many(3, (i) => finding({ reachability: i }))],
  pullRequests: [pullRequest({ finding: found })],
});
export const fail = async (controls: AnyControls): Promise<string> =>
  (await controls.faults.add({ operation: 'listPrs', code: 503 })).id;
export const failing = async () => [
  await fail(await startTriageApi()),
  await fail(connectControls({ url: 'http://127.0.0.1:4000' })),
];
export const served = startTriageApi({ fixtures: [built, fixtures, acme], scenario });
`;

const everywhere = { strict: true, noEmit: true, skipLibCheck: false, types: [], target: 'es2022' };
const settings = [
  { ...everywhere, module: 'nodenext', lib: ['es2022', 'dom'] },
  { ...everywhere, module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'] },
];

test('the types of every entry are whole, and say no to what is wrong', async (t) => {
  const page = documentText('client.md');
  const documented = Object.fromEntries(
    ['types.ts', 'errors.ts'].map((name) => [name, block(page, `ts ${name}`)]),
  );
  const project = await projectWith(t, { 'consumer.ts': consumer, ...documented });
  for (const each of settings)
    t.is(await typeProblems(project, each, ['consumer.ts', 'types.ts', 'errors.ts']), '', each.module);
  const wrong = await projectWith(t, {
    'consumer.ts': consumer
      .replace("'critical'", "'moderate'")
      .replace('fixtures, now', 'fixture: 1, now')
      .replace("'high'", "'severe'")
      .replace("'low'", "'urgent'")
      .replace("{ status: 'failed' }", '{ staus: 1 }')
      .replace('prState: null', 'prState: 5')
      .replace('finding: found', 'finding: web')
      .replace('reachability: i', 'reachable: i')
      .replace("'lodash', repo", "'lodash', repos"),
  });
  for (const each of settings) {
    const problems = await typeProblems(wrong, each);
    t.regex(problems, /"moderate"/);
    t.regex(problems, /"severe"/);
    t.regex(problems, /'fixture'/);
    for (const word of [/"urgent"/, /'staus'/, /Type 'number' is not assignable/, /'reachable'/, /'repos'/])
      t.regex(problems, word);
    t.regex(problems, /Type 'Repo' has no|'Repo' is not assignable to type 'Finding'/);
  }
});

test('the README’s example for tests prints what it says', async (t) => {
  const readme = await readFile(fileURLToPath(new URL('../../../README.md', import.meta.url)), 'utf8');
  const [, example = ''] = /^```js\n([\s\S]*?)^```$/m.exec(readme) ?? [];
  const project = await projectWith(t, { 'example.js': example });
  t.is(await node(project, 'example.js'), 'Right\n');
});

for (const [entry, name, exports, sentence] of [
  ['msw', 'msw', 'exports.rest = {};', 'triage-api/msw needs msw 2.3 or later'],
  [
    'storage/conformance',
    'fast-check',
    'exports.string = () => {};',
    'triage-api/storage/conformance needs fast-check 3 or later',
  ],
  [
    'playwright',
    '@playwright/test',
    'exports.test = {};',
    'triage-api/playwright needs @playwright/test 1.40 or later',
  ],
] as const) {
  test(`triage-api/${entry} says which version it needs of an optional package that is too old`, async (t) => {
    const project = await projectWith(t, {});
    const folder = join(project, 'node_modules', name);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'index.js'), exports);
    const script = `import('triage-api/${entry}').catch((error) => console.log(String(error)))`;
    t.is(await node(project, '--eval', script), `Error: ${sentence}\n`);
  });
}
