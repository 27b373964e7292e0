import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isDeepStrictEqual, promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { decode, FindingDetail, FindingPage, PrPage, RepoList } from '../../../src/contract/index.js';
import {
  apiFinding,
  apiFindingDetail,
  apiPage,
  apiPr,
  apiRepo,
  finding,
  many,
  pullRequest,
  repo,
  scan,
  TriageApiError,
  tenant,
  writeFixture,
} from '../../../src/data/builders/index.js';
import * as noFiles from '../../../src/data/builders/no-files.js';
import { validateDataset } from '../../../src/fixtures/validate-dataset.js';
import { startTriageApi } from '../../../src/testing/server.js';
import { column } from '../../_data.js';
import { documentText } from '../../_documented.js';
import { runs } from '../../_runs.js';
import { sparseFinding } from '../../fixtures/_arbitraries.js';
import { completed } from '../../fixtures/_completed.js';
import { directoryWith } from '../../fixtures/_directory.js';
import { fieldsFile } from './_fields-file.js';

/** The lines of the error that a call throws. */
const problemsOf = (t: ExecutionContext, call: () => unknown): readonly string[] =>
  t.throws(call, { instanceOf: TriageApiError })?.problems ?? [];

test('rows are completed as those of a fixture file', (t) => {
  const web = repo({ repo: 'acme/web', defaultBranch: 'trunk' });
  const built = tenant({
    name: 'acme',
    repos: [web],
    findings: [
      finding({ repo: web, package: 'lodash', pullRequest: pullRequest({ prState: 'merged' }) }),
      finding({ repo: 'acme/api' }),
      finding(),
    ],
    scans: [scan({ repo: web, status: 'failed' })],
  });
  const { $schema: _, ...file } = completed(
    {
      repos: [{ repo: 'acme/web', defaultBranch: 'trunk' }],
      findings: [
        { repo: 'acme/web', package: 'lodash', pullRequest: { prState: 'merged' } },
        { repo: 'acme/api' },
        {},
      ],
      scans: [{ repo: 'acme/web', status: 'failed' }],
    },
    'acme',
  );
  t.deepEqual(built, file);
});

test('a row may list others or refer to one, and what it refers to need not be listed', (t) => {
  const [web, api] = [repo({ repo: 'acme/web', findings: [finding({ package: 'braces' })] }), repo()];
  const found = finding({ repo: web, package: 'lodash', pullRequests: many(2, () => pullRequest()) });
  const { repos, fixDrafts, scans, pullRequests } = tenant({
    pullRequests: [pullRequest({ finding: found, prState: 'closed' })],
    scans: [scan({ repo: api, findingsSeen: 7 })],
  });
  t.deepEqual(
    repos.map((each) => `${each.owner}/${each.repo}`),
    ['tenant/app', 'acme/web'],
  );
  const webId = repos[1]?.id;
  t.deepEqual(
    fixDrafts.map((each) => [each.package, each.repoId]),
    [
      ['lodash', webId],
      ['braces', webId],
    ],
  );
  t.deepEqual(column(pullRequests, 'draftId'), [fixDrafts[0]?.id, fixDrafts[0]?.id, fixDrafts[0]?.id]);
  t.is(scans.find(({ findingsSeen }) => findingsSeen === 7)?.repoId, repos[0]?.id);
});

test('the repository of a finding is found, even if a pull request has led to the finding first', (t) => {
  const first = finding({ package: 'lodash' });
  const second = finding({ repo: repo({ repo: 'acme/web', findings: [first] }) });
  const { repos, fixDrafts } = tenant({
    pullRequests: [pullRequest({ finding: first }), pullRequest({ finding: second })],
  });
  t.deepEqual(column(repos, 'repo'), ['web']);
  t.deepEqual(column(fixDrafts, 'repoId'), [repos[0]?.id, repos[0]?.id]);
});

test('rows with the same fields are different rows, also repositories without a name', (t) => {
  const { repos, fixDrafts } = tenant({
    repos: [...many(3, () => repo({ findings: many(2, () => finding()) })), repo({ repo: 'tenant/app-2' })],
  });
  t.deepEqual(column(repos, 'repo'), ['app', 'app-3', 'app-4', 'app-2']);
  t.is(new Set(fixDrafts.map(({ id }) => id)).size, 6);
  t.is(new Set(fixDrafts.map(({ repoId }) => repoId)).size, 3);
});

test('the same seed gives the same data, and another one other ids, values and credentials', (t) => {
  const built = (seed?: number) =>
    tenant({
      seed,
      repos: [repo({ repo: 'acme/web' })],
      findings: many(20, () => finding({ repo: 'acme/api' })),
    });
  t.deepEqual(built(7), built(7));
  const [left, right] = [built(7), built(8)];
  t.deepEqual([left.user.id, right.user.id, built().user.id], ['usr_tenant-7', 'usr_tenant-8', 'usr_tenant']);
  for (const name of ['repos', 'scans', 'fixDrafts'] as const) {
    const ids = new Set(left[name].map(({ id }) => id));
    t.false(
      right[name].some(({ id }) => ids.has(id)),
      name,
    );
  }
  const packages = (data: typeof left) => data.fixDrafts.map((each) => each.package);
  t.notDeepEqual(packages(left), packages(right));
  t.notDeepEqual(packages(left), packages(built()));
});

test('what `tenant` returns can be the start of another tenant', (t) => {
  const base = tenant({ findings: [finding({ package: 'lodash', pullRequest: pullRequest() })] });
  t.deepEqual(tenant(base), base);
  const more = tenant({ ...base, findings: [finding({ package: 'braces' })] });
  t.deepEqual(column(more.fixDrafts, 'package'), ['braces', 'lodash']);
  t.is(more.pullRequests.length, 1);
});

test('the builders list all problems of a tenant at once, each with its path', (t) => {
  const twice = finding({ id: 'one' });
  const wrong: object = { severity: 'urgent', fixedRang: true };
  const other = repo({ repo: 'acme/api', defaultBranch: '\u0000' });
  t.deepEqual(
    problemsOf(t, () =>
      tenant({
        ...Object({ name: '', seed: 0.5, colour: 'red' }),
        repos: [repo({ findings: [finding(wrong), finding({ id: 'one' }), finding({ repo: other })] })],
        findings: [twice, twice, Object(null), finding({ repo: other, repoId: 'web' })],
        pullRequests: [pullRequest(Object({ finding: 'one' })), pullRequest({ draftId: 'two' })],
        scans: Object('none'),
      }),
    ),
    [
      'tenant /name: expected identifier, got ""',
      'tenant /seed: expected integer, got 0.5',
      'tenant /findings/1: the same object as /findings/0; list it once, or make another one',
      'tenant /scans: expected a list of scans, got an object',
      'tenant /repos/0/findings/2/repo: not the repo that lists it, /repos/0',
      'tenant /pullRequests/0/finding: expected what finding() returns, got "one"',
      'tenant /findings/3/repoId: contradicts repo: its id is "repo_0d917dfd70cf7dfe", not "web"',
      'tenant /repos/0/findings/2/repo/defaultBranch: expected text without U+0000 and unpaired surrogates, got "\\u0000"',
      'tenant /repos/0/findings/0/severity: expected one of critical, high, medium, low, got "urgent"',
      'tenant /repos/0/findings/0/fixedRang: unknown key; did you mean "fixedRange"?',
      'tenant /colour: unknown key; known keys are $schema, extends, remove, asOf, user, sessions, apiTokens, repos, scans, findings, fixDrafts, pullRequests',
      'tenant /pullRequests/0: 6 findings fit; give draftId, or repo and package',
      'tenant /findings/0/id: duplicate id "one"; /repos/0/findings/1/id has it already',
      'tenant /pullRequests/1/draftId: no entry of fixDrafts has the id "two"',
    ],
  );
});

test('the builders refuse values that are no list, no count or no object', (t) => {
  t.deepEqual(
    problemsOf(t, () => tenant(Object([1]))),
    ['tenant: expected the fields of a tenant, got an array of 1'],
  );
  t.deepEqual(
    problemsOf(t, () => many(-1, () => finding())),
    ['many: expected integer from 0 to 1000000, got -1'],
  );
  t.deepEqual(
    problemsOf(t, () => many(3, JSON.parse('{}'))),
    ['many: expected a function that makes an item, got an object'],
  );
});

/** Repositories, of which some lack a name, and findings, each with the number of its repository. */
const described = fc.record({
  rows: fc.uniqueArray(
    fc.record(
      {
        repo: fc.constantFrom('acme/web', 'shop', 'π'),
        owner: fc.constantFrom('acme', 'labs'),
        id: fc.constantFrom('one', 'two'),
        scanStatusBadge: fc.constantFrom('attention', 'never_scanned'),
      },
      { requiredKeys: [] },
    ),
    { minLength: 1, maxLength: 3, selector: ({ id }) => id ?? {} },
  ),
  findings: fc.array(fc.tuple(sparseFinding, fc.nat()), { maxLength: 6 }),
  seed: fc.option(fc.integer(), { nil: undefined }),
});

test('it does not matter whether repositories list findings, or findings refer to them', (t) => {
  fc.assert(
    fc.property(described, ({ rows, findings, seed }) => {
      const fields = findings.map(([{ repo: _, ...each }, at]) => [at % rows.length, each] as const);
      const findingsOf = (index: number) => fields.filter(([at]) => at === index).map(([, each]) => each);
      const listing = rows.map((row, index) => repo({ ...row, findings: findingsOf(index).map(finding) }));
      const plain = rows.map(repo);
      const referring = plain.flatMap((each, index) =>
        findingsOf(index).map((own) => finding({ ...own, repo: each })),
      );
      const data = tenant({ seed, repos: listing });
      t.deepEqual(tenant({ seed, repos: plain, findings: referring }), data);
      t.true(E.isRight(validateDataset(data)));
      t.is(data.repos.length, rows.length);
      const given = rows.flatMap((_, index) => findingsOf(index));
      for (const [index, { pullRequest: _, ...own }] of given.entries())
        t.deepEqual({ ...data.fixDrafts[index], ...own }, { ...data.fixDrafts[index] });
    }),
    runs(),
  );
});

test('writeFixture rejects with the reason in an environment without files', async (t) => {
  t.deepEqual(await noFiles.writeText('mine.json', '{}'), ['this environment has no files; call it in Node']);
});

test('a tenant is written to a file that servers read, by its path or its URL', async (t) => {
  const directory = join(await directoryWith(t, {}), 'new', 'fixtures');
  const data = tenant({ name: 'shop', findings: [finding()] });
  await writeFixture(join(directory, 'shop.json'), tenant());
  await writeFixture(pathToFileURL(join(directory, 'shop.json')), data);
  t.deepEqual(JSON.parse(await readFile(join(directory, 'shop.json'), 'utf8')), data);
  const api = await startTriageApi({ fixtures: directory });
  t.teardown(api.stop);
  t.deepEqual(
    api.tenants.map(({ name, session }) => [name, session]),
    [['shop', 'shop-session']],
  );
});

test('a file that no server would read, and data that none would serve, are refused with every problem', async (t) => {
  const directory = await directoryWith(t, {});
  const refused = async (file: string | URL, data: unknown = tenant()): Promise<readonly string[]> => {
    const error = await t.throwsAsync(writeFixture(file, Object(data)), { instanceOf: TriageApiError });
    return error?.problems ?? [];
  };
  for (const name of ['.json', '.hidden.json', 'shop.txt', 'shop.json/'])
    t.regex(
      (await refused(join(directory, name)))[0] ?? '',
      /^writeFixture: file: expected .*NAME\.json/,
      name,
    );
  const [inFile, inData] = await refused(join(directory, 'shop'), { ...tenant(), user: { id: 1 } });
  t.regex(inFile ?? '', /NAME\.json/);
  t.is(inData, 'writeFixture: /user/id: expected identifier, got 1');
  await writeFixture(join(directory, 'shop.json'), tenant());
  t.regex(
    (await refused(join(directory, 'shop.json', 'a.json')))[0] ?? '',
    /^writeFixture: .*(ENOTDIR|EEXIST)/,
  );
  t.regex((await refused(new URL('https://team.test/a.json')))[0] ?? '', /^writeFixture: .*file/);
});

const read = (path: string): Promise<string> =>
  readFile(fileURLToPath(new URL(`../../../../${path}`, import.meta.url)), 'utf8');

/** The interfaces of a file, line by line; how the formatter breaks the imports does not matter. */
const interfaces = (text: string): readonly string[] =>
  text.slice(text.indexOf('/** The fields')).trim().split('\n');

test('editors are told what the codecs say about each field: run npm run derive after a change', async (t) => {
  t.deepEqual(interfaces(await read('src/data/builders/fields.ts')), interfaces(fieldsFile()));
  const declared = await read('build/src/data/builders/fields.d.ts');
  t.regex(declared, /\/\*\* Severity[^*]* \*\/\s+readonly severity\?/);
});

const build = fileURLToPath(new URL('../../../', import.meta.url));

test('the tests that the page on fixtures shows pass', async (t) => {
  const page = documentText('fixtures.md');
  const shown = Array.from(page.matchAll(/^```js (\S+)\n([\s\S]*?)^```$/gm));
  // Inside of the package, its own name leads to what it exports.
  const directory = await mkdtemp(join(build, 'documents-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  for (const [, name = '', block = ''] of shown) await writeFile(join(directory, name), block);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--test', '--test-reporter=tap', ...shown.map(([, name = '']) => join(directory, name))],
    { timeout: 600_000 },
  ).catch((failed: unknown) => Object(failed));
  t.regex(stdout, /^# pass 4$/m, stdout);
  t.regex(stdout, /^# fail 0$/m, stdout);
});

test('objects of the API are those that a server sends for the same fields', async (t) => {
  const [name, severity] = [{ owner: 'acme', repo: 'web' }, 'high'] as const;
  const web = repo({ id: 'web', ...name });
  const data = tenant({
    findings: [
      finding({ id: 'fix_1', severity, repo: web }),
      finding({ id: 'fix_2', package: 'lodash', repo: web, pullRequest: { prState: 'merged' } }),
    ],
    repos: [repo({ owner: 'acme', repo: 'api', scans: [scan({ id: 'last', status: 'failed' })] })],
  });
  const api = await startTriageApi({ fixtures: data, now: data.asOf ?? '' });
  t.teardown(api.stop);
  const sent = async (path: string) => (await api.fetch(`/api/v1/${path}`)).json();
  const shown = { repoId: 'web', severity } as const;
  t.deepEqual<unknown, unknown>(apiFindingDetail({ id: 'fix_1', ...shown }), await sent('findings/fix_1'));
  const findings = Object(await sent('findings')).items;
  t.true(findings.some((each: unknown) => isDeepStrictEqual(each, apiFinding({ id: 'fix_1', ...shown }))));
  const pr = apiPr({ id: 'fix_2', package: 'lodash', repoId: 'web', repo: name, prState: 'merged' });
  t.deepEqual<unknown, unknown>(apiPage([pr]), await sent('prs'));
  const repos = Object(await sent('repos'));
  const { lastScan, ...others } = repos.find((each: Record<string, unknown>) => each.repo === 'api');
  t.deepEqual<unknown, unknown>(apiRepo({ owner: 'acme', repo: 'api', lastScan }), { lastScan, ...others });
});

test('times are given without milliseconds or as a Date, and have milliseconds', (t) => {
  for (const short of ['2026-11-20T12:00:00Z', new Date('2026-11-20T12:00:00Z')]) timesAre(t, short);
  t.deepEqual(
    problemsOf(t, () => apiFinding({ discoveredAt: new Date('never') })),
    [
      'tenant /findings/0/discoveredAt: expected a moment in UTC such as 2026-11-20T12:00:00Z, or a time from `asOf` such as -3d or -2h30m, got "Invalid Date"',
    ],
  );
});

const timesAre = (t: ExecutionContext, short: string | Date): void => {
  const time = '2026-11-20T12:00:00.000Z';
  const lastScan = { startedAt: short, finishedAt: short };
  const rows = { findings: [finding({ discoveredAt: short, reconciledAt: short })], scans: [scan(lastScan)] };
  const data = tenant({ asOf: short, ...rows, sessions: [{ value: 'mine', expiresAt: short }] });
  t.like(data, {
    asOf: time,
    sessions: [{ expiresAt: time }],
    scans: [{ startedAt: time, finishedAt: time }],
    fixDrafts: [{ discoveredAt: time, reconciledAt: time }],
  });
  t.like(apiFinding({ discoveredAt: short }), { discoveredAt: time });
  t.like(apiPr({ createdAt: short }), { createdAt: time });
  t.like(apiRepo({ lastScanAt: short }), { lastScanAt: time });
  const { startedAt, finishedAt } = { ...apiRepo({ lastScan: Object(lastScan) }).lastScan };
  t.deepEqual([startedAt, finishedAt], [time, time]);
  t.deepEqual(
    problemsOf(t, () => apiFinding({ discoveredAt: '2026-02-31T12:00:00Z' })),
    ['tenant /findings/0/discoveredAt: expected a day that exists, got "2026-02-31T12:00:00Z"'],
  );
};

test('objects of the API fit the contract, and have what is given', (t) => {
  const lists = [
    [
      FindingPage,
      apiPage(
        many(3, (i) => apiFinding({ id: `${i}` })),
        { page: 2, limit: 3, totalItems: 7 },
      ),
    ],
    [FindingDetail, apiFindingDetail({ prCount: 2, ciStatus: undefined })],
    [PrPage, apiPage([apiPr(), apiPr({ prState: null, repo: { owner: 'a', repo: 'b' } })])],
    [
      RepoList,
      [apiRepo(), apiRepo({ lastScan: null }), apiRepo({ openPrCount: 2, lastScanRelative: 'now' })],
    ],
  ] as const;
  for (const [codec, value] of lists)
    t.deepEqual<unknown, unknown>(decode<unknown>(codec, value), { _tag: 'Right', right: value });
  t.like(apiPage([], { limit: 3, totalItems: 7 }), { page: 1, totalPages: 3 });
  t.like(apiPr({ repo: { owner: 'a', repo: 'b' } }), { repo: { owner: 'a', repo: 'b' } });
  t.like(apiRepo({ lastScan: null }), { lastScanAt: null, lastScanRelative: 'never', hasOpenFixPr: false });
  t.like(apiRepo({ hasOpenFixPr: true }), { openPrCount: 1, openAdvisoryCount: 1, openFixDraftId: 'fix_1' });
  t.like(apiRepo({ owner: 'zoe', openPrCount: 2, lastScanRelative: 'now' }), {
    ...{ ownerInitial: 'Z', hasOpenFixPr: true, lastScanRelative: 'now' },
  });
  t.deepEqual(
    problemsOf(t, () => apiFinding(Object({ severity: 'urgent' }))),
    ['tenant /findings/0/severity: expected one of critical, high, medium, low, got "urgent"'],
  );
});
