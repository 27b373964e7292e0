import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { loadCommands } from '../src/cli/program.js';
import { startTriageApi } from '../src/testing/server.js';
import { ServerOptions } from '../src/testing/test-options.js';
import { VerifyReport } from '../src/verify/report.js';
import { blocks } from './_documented.js';
import { cookie } from './_server.js';
import { listen, run } from './cli/_cli.js';
import { directoryWith } from './fixtures/_directory.js';
import { withOptions } from './openapi/_options-page.js';

/** The documents, executed: what they show is what happens. */
const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (name: string): Promise<string> => readFile(join(root, name), 'utf8');
const documents = [
  'README.md',
  'CHANGELOG.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** The first line of a console block without its prompt, and what it is said to print. */
const session = (block: string): readonly [command: string, output: string] => {
  const [command = '', ...output] = block.split('\n');
  return [command.replace(/^\$ /, ''), output.join('\n')];
};

const frozen = ['--now', '2026-11-20T12:00:00Z'];

/** A directory with these files inside of the package, where its own name leads to what it exports. */
const insidePackage = async (
  t: ExecutionContext,
  files: Readonly<Record<string, string>>,
): Promise<string> => {
  const directory = await mkdtemp(join(root, 'build', 'documents-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), text);
  }
  return directory;
};

/** What the runner of Node prints about tests in a directory. */
const testsIn = async (
  directory: string,
  names: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const words = ['--test', '--test-reporter=tap', ...names.map((name) => join(directory, name))];
  const options = { env: { ...process.env, ...environment }, timeout: 600_000 };
  const run = promisify(execFile)(process.execPath, words, options);
  return (await run.catch((failed: unknown) => Object(failed))).stdout;
};

test('the requests that documents show are answered as they say', async (t) => {
  const { url } = await listen(t, frozen);
  const pages = ['accounts', 'api', 'decisions', 'security', 'simulate', 'tutorial'].map(
    (name) => `docs/${name}.md`,
  );
  for (const document of ['README.md', ...pages]) {
    const requests = blocks(await read(document), 'console')
      .map(session)
      .filter(([command]) => command.startsWith('curl'));
    t.true(requests.length > 0, document);
    for (const [command, output] of requests) {
      const [, header = '', , data, path = ''] =
        /^curl -H '(.*?)'( -d '(.*)')? 'http:\/\/127\.0\.0\.1:4000(.*)'$/.exec(command) ?? [];
      const [name = '', value = ''] = header.split(': ');
      const post = data === undefined ? {} : { method: 'POST', body: data };
      const answer = await fetch(`${url}${path}`, { headers: { [name]: value }, ...post });
      const text = await answer.text();
      // Where people begin, what is shown is what is printed, to the letter.
      if (/README|tutorial/.test(document)) t.is(text, output.trimEnd(), command);
      else t.deepEqual(JSON.parse(text), JSON.parse(output), command);
    }
  }
});

test('the fixture with problems that the page on fixtures shows is checked as it says', async (t) => {
  const text = await read('docs/fixtures.md');
  const [example = ''] = blocks(text, 'json broken');
  const [command, output] = blocks(text, 'console')
    .map(session)
    .find(([each]) => each.includes(' check broken')) ?? ['', ''];
  const directory = await directoryWith(t, {});
  await mkdir(join(directory, 'broken'));
  await writeFile(join(directory, 'broken', 'team.json'), example);
  const words = command.replace('node bin/triage-api.js', '').trim().split(' ');
  const printed = await promisify(execFile)(process.execPath, [join(root, 'bin/triage-api.js'), ...words], {
    cwd: directory,
  }).catch((failed: unknown) => Object(failed));
  t.is(`${printed.stdout}${printed.stderr}`, output, command);
});

test('the command that the page of the API shows prints what it says', async (t) => {
  const shown = blocks(await read('docs/api.md'), 'console')
    .map(session)
    .filter(([command]) => command.startsWith('node'));
  t.is(shown.length, 1);
  for (const [command, output] of shown) {
    const { stdout, stderr } = await promisify(execFile)('sh', ['-c', command], { cwd: root });
    t.deepEqual([stdout, stderr], [output, ''], command);
  }
});

test('the smallest fixture, and one with a schema, are served', async (t) => {
  const [smallest] = blocks(await read('docs/fixtures.md'), 'json mine/team.json');
  const [named] = blocks(await read('docs/api.md'), 'json');
  const directory = await directoryWith(t, { 'team.json': smallest, 'named.json': named });
  const { url } = await listen(t, ['--fixtures', directory]);
  const repos = Object(await (await fetch(`${url}/api/v1/repos`, cookie('team-session'))).json());
  t.deepEqual(
    repos.map(({ repo, openPrCount }: { repo: string; openPrCount: number }) => [repo, openPrCount]).sort(),
    [
      ['api', 1],
      ['web', 0],
    ],
  );
});

test('every tenant and credential that the README lists is there, the refused ones refused', async (t) => {
  const { url } = await listen(t, frozen);
  const readme = await read('README.md');
  const rows = Array.from(readme.matchAll(/^\| `(\w+)` \| `(.*?)` \| `(.*?)` \|/gm));
  t.is(rows.length, 5);
  const status = async (headers: Record<string, string>) =>
    (await fetch(`${url}/api/v1/prs`, { headers })).status;
  for (const [, , value, token] of rows) {
    t.is(await status({ Cookie: `session=${value}` }), 200);
    t.is(await status({ Authorization: `Bearer ${token}` }), 200);
  }
  for (const [, tenant] of rows) {
    const user = JSON.parse(await read(`fixtures/${tenant}.json`)).user;
    t.is(user.password, `${tenant}-password`);
    t.true(readme.includes(user.email), user.email);
  }
  for (const secret of ['acme-session-expired', 'acme-token-expired', 'acme-token-revoked']) {
    t.true(readme.includes(`\`${secret}\``));
    t.is(await status({ Cookie: `session=${secret}`, Authorization: `Bearer ${secret}` }), 401);
  }
});

test('the server does what the decisions say', async (t) => {
  const { url } = await listen(t, frozen);
  const rows = Array.from(
    (await read('docs/decisions.md')).matchAll(/^\| `([A-Z]+) (\S+)` \| (\d+) \| `(.*)` \|$/gm),
  );
  t.true(rows.length >= 10);
  for (const [, method = '', path, status, body = ''] of rows) {
    const answer = await fetch(`${url}${path}`, { ...cookie('acme-session'), method });
    t.deepEqual([answer.status, await answer.text()], [Number(status), body], `${method} ${path}`);
  }
});

test('the command line’s page has the commands and options of the program', async (t) => {
  const page = await read('docs/command-line.md');
  t.is(page, withOptions(page, await loadCommands()), 'run `npm run derive`');
});

test('the suite that the documents show holds a storage to what a storage does', async (t) => {
  const [example = ''] = blocks(await read('docs/storage.md'), 'ts conformance');
  const directory = await insidePackage(t, {
    'suite.mjs': example,
    'my-storage.js': `import { aStorage } from '../test/_storage.js';
     const storage = (datasets) => ({ ...aStorage(datasets), ...(process.env.BROKEN ? { user: async () => ({ _tag: 'Right', right: null }) } : {}) });
     export const openMyStorage = async (datasets) => ({ storage: storage(datasets), close: async () => {} });`,
  });
  const good = await testsIn(directory, ['suite.mjs']);
  t.regex(good, /^# pass (?:[2-9]\d)$/m);
  t.regex(good, /^# fail 0$/m);
  t.regex(await testsIn(directory, ['suite.mjs'], { BROKEN: '1' }), /^# fail 1$/m);
});

test('the tests that the page on testing shows pass, and end by themselves', async (t) => {
  const page = await read('docs/testing.md');
  const shown = Array.from(page.matchAll(/^```js (\S+)\n([\s\S]*?)^```$/gm));
  const directory = await insidePackage(t, {
    ...Object.fromEntries(shown.map(([, name = '', text = '']) => [name, text])),
    // What Vitest calls so, by the runner of Node.
    'node_modules/vitest/package.json': '{ "exports": "./vitest.mjs" }',
    'node_modules/vitest/vitest.mjs': `import assert from 'node:assert/strict';
     export { after as afterAll, before as beforeAll, test } from 'node:test';
     export const expect = (got) => ({ toBe: (expected) => assert.equal(got, expected) });`,
  });
  const tests = shown.map(([, name = '']) => name).filter((name) => name.includes('.test.'));
  t.deepEqual(tests, ['client.test.mjs', 'fetch.test.mjs', 'vitest.test.mjs', 'states.test.mjs']);
  const printed = await testsIn(directory, tests);
  t.regex(printed, /^# pass 8$/m, printed);
  t.regex(printed, /^# fail 0$/m, printed);
});

test('the command that the page on testing gives for CI judges a server', async (t) => {
  const [command = ''] = blocks(await read('docs/testing.md'), 'sh verify');
  const { url, session, token, stop } = await startTriageApi();
  t.teardown(stop);
  const directory = await directoryWith(t, {});
  const words = command
    .replace('npx triage-api ', '')
    .replace('http://127.0.0.1:8080', url)
    .replace('triage-api.xml', join(directory, 'triage-api.xml'))
    .trim()
    .split(' ')
    .map((word) => (word === '"$SESSION"' ? session : word === '"$TOKEN"' ? token : word));
  const { code, out } = await run([...words, '--rate', '1000']);
  t.is(code, 0, out);
  t.regex(await readFile(join(directory, 'triage-api.xml'), 'utf8'), /<testsuite/);
});

test('the page on testing has every option, and names what there is', async (t) => {
  const page = await read('docs/testing.md');
  for (const name of Object.keys(ServerOptions.props)) t.true(page.includes(`| \`${name}\` |`), name);
  const { stop, ...server } = await startTriageApi();
  t.teardown(stop);
  t.true(page.includes(`{ ${[...Object.keys(server), 'stop'].join(', ')} }`));
  const exported = Object.keys(await import('../src/contract/index.js'));
  const listed = page.slice(page.indexOf("## The contract's codecs"));
  for (const [, name = ''] of listed.matchAll(/`([A-Za-z]+(?:Body|List|Page|Detail|Query|Limit))`/g)) {
    t.true(exported.includes(name), name);
  }
});

test('what record prints is what its page shows, and what it writes is served', async (t) => {
  const { url } = await listen(t, frozen);
  const [[command, output] = ['', '']] = blocks(await read('docs/verify.md'), 'console record').map(session);
  const directory = await directoryWith(t, {});
  await mkdir(join(directory, 'mine'));
  const words = command
    .replace('node bin/triage-api.js ', '')
    .replace('http://127.0.0.1:4000', url)
    .split(' ');
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [join(root, 'bin/triage-api.js'), ...words],
    { cwd: directory },
  );
  const masked = (text: string): string => text.replaceAll(/\b(?:[a-z2-9]{4}-){3}[a-z2-9]{4}\b/g, '…');
  t.deepEqual([masked(stdout), stderr], [masked(output.replace('http://127.0.0.1:4000', url)), '']);
  const recorded = /session cookie: (\S+),/.exec(stdout)?.[1] ?? '';
  const copy = await listen(t, ['--fixtures', join(directory, 'mine'), ...frozen]);
  const answered = async (base: string, value: string) =>
    (await fetch(`${base}/api/v1/repos`, cookie(value))).text();
  t.is(await answered(copy.url, recorded), await answered(url, 'acme-session'));
});

test('what verify and diff print is what their page shows', async (t) => {
  const servers = [await listen(t, frozen), await listen(t, [...frozen, '--strict'])];
  const examples = blocks(await read('docs/verify.md'), 'console').map(session);
  t.is(examples.length, 2);
  const masked = (text: string): string => text.replaceAll(/ in \d+\.\d s$/gm, ' in … s');
  for (const [command, output] of examples) {
    const words = command.replace('node bin/triage-api.js ', '').split(' ');
    const printed = await run(
      words.map((word) =>
        word.replace(/^http:\/\/127\.0\.0\.1:400([01])$/, (_, index) => servers[index]?.url ?? ''),
      ),
    );
    const expected = output.replaceAll('http://127.0.0.1:4000', servers[0]?.url ?? '');
    t.is(masked(printed.out), masked(expected), command);
  }
});

test('the page on verify shows a report of the right form', async (t) => {
  const page = await read('docs/verify.md');
  const [report = ''] = blocks(page, 'json report');
  t.deepEqual(VerifyReport.encode(JSON.parse(report)), JSON.parse(report));
  t.true(VerifyReport.is(JSON.parse(report)));
});

test('files that documents name exist', async (t) => {
  for (const document of documents) {
    const text = await read(document);
    for (const [, name = ''] of text.matchAll(/`((?:src|test|bench)\/[\w./-]+\.(?:ts|sql))`/g)) {
      await t.notThrowsAsync(readFile(join(root, name)), `${document}: ${name}`);
    }
    if (document !== 'docs/architecture.md') continue;
    for (const [, name = ''] of text.matchAll(
      /`((?!src\/|test\/|bench\/|scripts\/)[a-z-]+\/[\w./-]+\.ts)`/g,
    )) {
      await t.notThrowsAsync(readFile(join(root, 'src', name)), name);
    }
  }
});
