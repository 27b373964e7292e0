import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import { directoryWith } from '../fixtures/_directory.js';
import { listen, run } from './_cli.js';

const build = fileURLToPath(new URL('../../', import.meta.url));

/** A run of tests with a server and a handler, each of which meets a failure and a list. */
const program = `
import { startTriageApi } from '${join(build, 'src/testing/server.js')}';
import { fetchHandler } from '${join(build, 'src/testing/fetch-handler.js')}';
const api = await startTriageApi({ fixtures: {} });
api.faults.add({ operation: 'listPrs', code: 503, times: 1 });
for (let i = 0; i < 2; i += 1) await (await api.fetch('/api/v1/prs')).text();
await api.stop();
const handle = fetchHandler({}, { session: true });
handle.faults.add({ operation: 'listFindings', code: 503, times: 1 });
const ask = () => handle(new Request('http://localhost/api/v1/findings'));
await (await ask()).text();
await (await fetchHandler({}, { session: true })(new Request('http://localhost/api/v1/findings'))).text();
`;

test('a run of tests notes which states it sees, and coverage tells which it has never seen', async (t) => {
  const folder = await directoryWith(t, { 'run.mjs': program });
  const states = join(folder, 'states');
  const env = { ...process.env, TRIAGE_COVERAGE: states };
  await promisify(execFile)(process.execPath, [join(folder, 'run.mjs')], { env });
  t.is((await readdir(states)).length, 1, 'a process writes one file');
  const { code, out } = await run(['coverage', states, '--seen']);
  t.is(code, 0);
  t.regex(out, /^listPrs: \d+ of \d+ states \(\d+ %\)$/m);
  t.regex(out, /^ {2}seen: There are no pull requests\. \(prs\.none\)$/m);
  t.regex(out, /^ {2}seen: `listPrs` fails once, and then works\. \(listPrs\.recovers\)$/m);
  t.regex(out, /^ {2}seen: There are no findings\. \(findings\.none\)$/m);
  t.regex(out, /never seen: `listFindings` fails once, and then works/, 'another handler is another API');
  t.regex(
    out,
    /never seen: A filter empties this page, although a later one has rows that it lets through\./,
  );
  t.notRegex(out, /getFinding/);
});

test('a server of the command line notes what clients see, and only what was sent whole', async (t) => {
  const states = join(await directoryWith(t, {}), 'states');
  const { url, end } = await listen(t, ['--coverage', states]);
  const headers = { Cookie: 'session=acme-session' };
  await (await fetch(`${url}/api/v1/repos`, { headers })).text();
  await fetch(`${url}/api/v1/prs`, { headers: { ...headers, Prefer: 'cut' } }).then((cut) =>
    cut.text().catch(() => ''),
  );
  await end('SIGTERM');
  const [file = ''] = await readdir(states);
  const lines = (await readFile(join(states, file), 'utf8')).split('\n');
  // The client accepts compressed bodies.
  for (const state of ['ordinary', 'repos.status.blocked'])
    t.true(lines.includes(`listConnectedRepos ${state}`));
  t.deepEqual(
    lines.filter((line) => line.startsWith('listPrs')),
    ['listPrs listPrs.cut'],
  );
});

test('coverage fails below its minimum, and where nothing was noted', async (t) => {
  const folder = await directoryWith(t, { 'one.states': 'listFindings findings.none\nlistFindings gone\n' });
  const enough = await run(['coverage', folder, '--min', '1']);
  t.deepEqual([enough.code, /^1 of \d+ states \(1 %\)$/m.test(enough.out)], [0, true]);
  const few = await run(['coverage', folder, '--min', '80']);
  t.deepEqual([few.code, few.err], [1, 'fewer states were seen than --min 80 demands\n']);
  const none = await run(['coverage', join(folder, 'nowhere')]);
  t.is(none.code, 1);
  t.regex(none.err, /nowhere: no request to an operation was noted; run the tests with TRIAGE_COVERAGE=/);
});

test('a server goes on, and says so once, where nothing can be noted', async (t) => {
  const file = join(await directoryWith(t, { taken: 'a file' }), 'taken');
  const { url, err } = await listen(t, ['--coverage', file]);
  const headers = { Cookie: 'session=acme-session' };
  for (const path of ['repos', 'prs', 'findings'])
    t.is((await fetch(`${url}/api/v1/${path}`, { headers })).status, 200);
  t.is((await fetch(`${url}/readyz`)).status, 200);
  t.is(err().match(/cannot note which states clients see/g)?.length, 1);
  t.regex((await run(['coverage', file])).err, /taken: .*ENOTDIR/);
});
