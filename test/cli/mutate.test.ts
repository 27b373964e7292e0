import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { mutationLines } from '../../src/cli/mutate/mutation-report.js';
import { programRunner } from '../../src/cli/mutate/run-program.js';
import { lies } from '../../src/simulation/lies/index.js';
import { directoryWith } from '../fixtures/_directory.js';
import { listen, run, start } from './_cli.js';

const build = fileURLToPath(new URL('../../', import.meta.url));

/** What tests of a server and of a handler begin with. */
const head = `
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmdirSync } from 'node:fs';
import { startTriageApi } from '${join(build, 'src/testing/server.js')}';
import { fetchHandler } from '${join(build, 'src/testing/fetch-handler.js')}';
import { tenant } from '${join(build, 'src/data/builders/index.js')}';
const fixtures = tenant({ findings: [{ package: 'one' }, { package: 'two' }] });
const api = await startTriageApi({ fixtures });
const ask = async (path) => (await api.fetch('/api/v1/' + path)).json();
process.once('beforeExit', api.stop);
`;

/** Tests that look at the number of findings, and not at their order. */
const counting = `${head}
assert.equal((await ask('findings')).items.length, 2);
await api.stop();
`;

const suite = async (t: ExecutionContext, program: string): Promise<readonly string[]> => {
  const folder = await directoryWith(t, { 'suite.mjs': program });
  return ['--', process.execPath, join(folder, 'suite.mjs')];
};

const two = ['mutate', '--only', 'listFindings.order,listFindings.last-row'];
const survivor =
  '  The list of findings was in reverse order, and nothing failed: section 2.2 (listFindings.order)';

test('mutate tells which lies no test notices, unless a file accepts them or the minimum is met', async (t) => {
  const words = await suite(t, counting);
  const folder = await directoryWith(t, {
    accepted: '# sorted by the page\nlistFindings.order\n\nlistPrs\n',
  });
  const junit = join(folder, 'mutate.xml');
  const plain = await run([...two, '--junit', junit, ...words]);
  t.is(plain.code, 1, plain.err);
  t.regex(plain.out, /^No test noticed, the gravest first\n.*\n1 of 2 lies noticed \(50 %\) in \d+ s\n$/);
  t.is(plain.out.split('\n')[1], survivor);
  const xml = await readFile(junit, 'utf8');
  t.regex(xml, /tests="2" failures="1" skipped="0"/);
  t.regex(xml, /name="listFindings.order: [^>]*><failure message="The list of findings/);
  t.is((await run([...two, '--min', '50', ...words])).code, 0);
  t.is((await run([...two, '--min', '51', '--jobs', '1', ...words])).code, 1);
  const accepted = await run([...two, '--accept', join(folder, 'accepted'), ...words]);
  t.is(accepted.code, 0);
  t.regex(accepted.out, /^1 of 2 lies noticed \(50 %\) in \d+ s, 1 accepted\n$/);
});

test('mutate says what could not be told, and why', async (t) => {
  const words = await suite(t, counting);
  const only = 'listFindings.severity.ignored,listFindings.503,listPrs.order,listFindings.last-row';
  const { code, out } = await run(['mutate', '--only', only, ...words]);
  t.is(code, 0);
  t.deepEqual(out.split('\n').slice(0, -2), [
    'Could not be told',
    '  listFindings never answered 400, 401, 429, 500, 503',
    '  listPrs was never asked',
    '  listFindings answered 200 without a `severity` that makes a difference',
  ]);
  const none = await run(['mutate', '--only', 'listPrs.order', ...words]);
  t.deepEqual([none.code, none.err], [1, 'none of these lies could be told\n']);
});

test('mutate refuses tests that fail, that are flaky, or that send no request', async (t) => {
  const red = await run([...two, ...(await suite(t, `${head} assert.equal(1, 2, '\u001b[31mnot in red');`))]);
  t.is(red.code, 2);
  t.regex(red.err, /^the tests fail without a lie:\n[\s\S]*AssertionError[^\n]*: not in red/);
  const silent = await run([...two, ...(await suite(t, `${head} await api.stop();`))]);
  t.is(silent.code, 2);
  t.regex(silent.err, /^the tests sent no request to an operation of startTriageApi/);
  const mark = join(await directoryWith(t, {}), 'mark');
  const once = `${counting} assert(!existsSync('${mark}')); mkdirSync('${mark}');`;
  const flaky = await run([...two, '--jobs', '1', ...(await suite(t, once))]);
  t.is(flaky.code, 2);
  t.regex(flaky.err, /^the tests are flaky: the first run passed, and the second failed:\n/);
  const missing = await run([...two, '--', join(build, 'no-such-program')]);
  t.is(missing.code, 2);
  t.regex(missing.err, /ENOENT/);
});

test('mutate runs tests one after the other that fail if two runs go on at once', async (t) => {
  const lock = join(await directoryWith(t, {}), 'lock');
  const alone = `${head.replace('const api', `mkdirSync('${lock}'); const api`)}
await new Promise((resolve) => setTimeout(resolve, 1000));
rmdirSync('${lock}');
assert.equal((await ask('findings')).items.length, 2);
await api.stop();
`;
  const { code, out, err } = await run([...two, '--jobs', '2', ...(await suite(t, alone))]);
  // The run that has failed leaves the lock of the other one alone.
  t.is(code, 1, err);
  t.regex(err, /^the tests fail if 2 runs go on at once, so one goes on after the other:\n/);
  t.true(out.includes(survivor), out);
});

test('mutate tells lies in handlers, and a lie about two tenants', async (t) => {
  const program = `${head}
await api.stop();
const handler = fetchHandler(['a', 'b'].map((name) => tenant({ name, findings: [{ id: 'fix_' + name }] })));
for (const { session } of handler.tenants) {
  const headers = { Cookie: 'session=' + session };
  const answer = await handler(new Request('http://localhost/api/v1/findings', { headers }));
  assert.equal((await answer.json()).items.some(({ id }) => id === 'fix_' + 'none'), false);
}
`;
  const only = 'listFindings.foreign-row,listFindings.last-row';
  const { code, out, err } = await run(['mutate', '--only', only, ...(await suite(t, program))]);
  t.is(code, 1, err);
  t.regex(
    out,
    /^.*\n {2}The list of findings began with a row of another tenant, and nothing failed: section 5 rule 6 /,
  );
});

test('a signal ends mutate and the tests that it runs', async (t) => {
  const begun = join(await directoryWith(t, {}), 'begun');
  const program = `import { mkdirSync } from 'node:fs'; mkdirSync('${begun}'); setInterval(() => {}, 1000);`;
  const started = start([...two, ...(await suite(t, program))]);
  while (!existsSync(begun)) await setTimeout(50);
  const { code, err } = await started.end();
  t.deepEqual([code, err], [1, 'interrupted\n']);
});

test('a program that takes too long is ended, with what it has started', async (t) => {
  const file = join(await directoryWith(t, {}), 'written');
  await writeFile(file, '');
  const inner = `setInterval(() => require('node:fs').appendFileSync('${file}', '.'), 20)`;
  const outer = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(inner)}]); setInterval(() => {}, 1000)`;
  const { run: runProgram } = programRunner([process.execPath, '-e', outer]);
  const { isGreen, isLate } = await runProgram({}, 1500);
  t.deepEqual([isGreen, isLate], [false, true]);
  const length = (await readFile(file)).length;
  t.true(length > 0);
  await setTimeout(300);
  t.is((await readFile(file)).length, length);
  const late = lies.slice(0, 1).map((lie) => ({ lie, fate: 'late' as const, why: '' }));
  const line = '1 of 1 lie noticed (100 %) in 1 s, 1 of them because the run took too long';
  t.deepEqual(mutationLines(late, 1.2), [line]);
});

test('unknown lies are refused with those that may be meant', async (t) => {
  const only = await run(['mutate', '--only', 'listFindings.ordr', '--', 'true']);
  t.is(only.code, 2);
  t.regex(only.err, /^--only: there is no lie "listFindings.ordr"; there are listFindings.order, /);
  const file = join(await directoryWith(t, { accepted: 'nothing\n' }), 'accepted');
  const accept = await run(['mutate', '--accept', file, '--', 'true']);
  t.is(accept.code, 2);
  t.regex(accept.err, /accepted: there is no lie "nothing"; there are list\w+, listFindings, \w+, listPrs$/m);
  const served = await run(['serve', '--lie', 'listPrs.ordre', '--port', '0']);
  t.regex(served.err, /^--lie: there is no lie "listPrs.ordre"; there are listPrs.order, /);
  const failing = `${head} assert.equal((await ask('findings')).error, 'Internal server error'); await api.stop();`;
  const { run: runProgram } = programRunner((await suite(t, failing)).slice(1));
  const { isGreen, tail } = await runProgram({ TRIAGE_LIE: 'listPrs.ordre' });
  t.true(isGreen, tail);
  t.regex(tail, /Warning: TRIAGE_LIE: there is no lie "listPrs.ordre"/);
});

test('serve tells a lie, says so in a header, and notes it', async (t) => {
  const notes = join(await directoryWith(t, {}), 'notes');
  const { url, end } = await listen(t, ['--lie', 'listPrs.reconciledAt.null', '--lies', notes]);
  const ask = (path: string) =>
    fetch(`${url}/api/v1/${path}`, { headers: { Cookie: 'session=acme-session' } });
  const answer = await ask('prs');
  t.regex(await answer.text(), /^(?!.*"reconciledAt":").*"reconciledAt":null/);
  t.is(answer.headers.get('x-triage-simulated'), 'lie=listPrs.reconciledAt.null');
  t.is((await ask('findings')).headers.get('x-triage-simulated'), null);
  await end('SIGTERM');
  const [file = ''] = await readdir(notes);
  t.deepEqual((await readFile(join(notes, file), 'utf8')).trim().split('\n'), [
    'answered listPrs 200',
    'told listPrs.reconciledAt.null',
    'answered listFindings 200',
  ]);
});
