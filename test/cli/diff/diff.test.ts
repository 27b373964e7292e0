import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { DiffReport } from '../../../src/diff/diff-report.js';
import { assertDecodes } from '../../_codecs.js';
import { directoryWith } from '../../storage/fixtures/_directory.js';
import { killProcessAt, listen, run, sharedServer } from '../_cli.js';
import { stallingProxy } from '../_stalling-proxy.js';

const quiet = ['--log-level', 'silent', '--now', '2026-11-20T12:00:00Z'];
/** Servers that all tests share. */
const left = sharedServer(test, quiet);
const right = sharedServer(test, quiet);
const strict = sharedServer(test, [...quiet, '--strict']);

const acme = ['--session', 'acme-session', '--token', 'acme-token', '--rate', '1000'];

test('two servers with the same data have the same values: exit code 0', async (t) => {
  const { code, out, err } = await run([
    'diff',
    '--left',
    left().url,
    '--right',
    right().url,
    ...acme,
    '--values',
  ]);
  t.deepEqual([code, err], [0, ''], out);
  t.regex(out, /^\d+ requests compared: no differences\n$/);
});

test('other data is not a difference, other behaviour is: exit code 1 and a report', async (t) => {
  const directory = await directoryWith(t, {});
  const json = join(directory, 'diff.json');
  const words = ['diff', '--left', left().url, '--right', strict().url, ...acme, '--json', json];
  const { code, out } = await run([
    ...words,
    '--right-session',
    'demo-session',
    '--right-token',
    'demo-token',
  ]);
  t.is(code, 1);
  t.true(
    out.startsWith(
      'Differences\n  status: 200 on the left, 400 on the right\n    GET /api/v1/findings?triage-api-diff-none=1 (cookie: session)\n',
    ),
    out,
  );
  t.regex(
    out,
    /\nPossibly due to the data\n {2}note \/\*\/lastScan: null or object on the left, object on the right\n/,
  );
  t.regex(out, /requests compared: 1 difference\n$/);
  const report: unknown = JSON.parse(await readFile(json, 'utf8'));
  assertDecodes(t, DiffReport, report);
});

test('a server that does not answer is named: exit code 1', async (t) => {
  const { url, end } = await listen(t, quiet);
  await end('SIGTERM');
  const { code, out, err } = await run([
    'diff',
    '--left',
    left().url,
    '--right',
    url,
    ...acme,
    '--json',
    '-',
  ]);
  t.is(code, 1);
  t.regex(err, /^stopped: the right server does not respond: connect ECONNREFUSED/);
  const report: unknown = JSON.parse(out);
  t.true(DiffReport.is(report) && report.compared === 0);
});

test('a report that cannot be written: exit code 1', async (t) => {
  const { url } = left();
  const { code, out, err } = await run([
    'diff',
    '--left',
    url,
    '--right',
    url,
    ...acme,
    '--json',
    '/nowhere/x.json',
  ]);
  t.is(code, 1);
  t.regex(out, /: no differences\n$/);
  t.regex(err, /^cannot write \/nowhere\/x\.json: ENOENT/);
});

test('many rows that differ are a few lines, each with a count and an example', async (t) => {
  const directory = await directoryWith(t, {});
  const file = join(directory, 'boundary.json');
  const recorded = await run([
    'record',
    file,
    '--url',
    left().url,
    '--session',
    'boundary-session',
    '--rate',
    '1000',
    '--as-of',
    '2026-11-20T12:00:00Z',
    '--file-session',
    'copy-session',
  ]);
  t.is(recorded.code, 0, recorded.err);
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replaceAll('"severity":"high"', '"severity":"low"'));
  const other = await listen(t, [...quiet, '--fixtures', directory]);
  const words = ['--session', 'boundary-session', '--right-session', 'copy-session', '--values'];
  const { code, out } = await run([
    'diff',
    '--left',
    left().url,
    '--right',
    other.url,
    ...words,
    '--rate',
    '1000',
  ]);
  t.is(code, 1);
  t.regex(
    out,
    /^ {2}value \/items\/\*\/severity: \d{2,} differ, such .*: "high" on the left, "low" on the right$/m,
  );
  t.true(out.split('\n').length < 25, out);
});

for (const good of [1, 2, 30]) {
  test(`killed after ${good} responses and run again with --resume, it writes the same report`, async (t) => {
    const directory = await directoryWith(t, {});
    const [state, json] = [join(directory, 'state'), join(directory, 'diff.json')];
    const proxy = await stallingProxy(t, strict().url, good);
    const words = ['diff', '--left', left().url, '--right', proxy.url, ...acme, '--values'];
    const resumable = [...words, '--resume', state, '--json', json];
    await killProcessAt(resumable, proxy.stalled);
    t.deepEqual(await readdir(directory), ['state']);
    t.notRegex(await readFile(state, 'utf8'), /acme-(?:session|token)/);

    const refused = await run([...resumable, '--all-headers']);
    t.deepEqual(
      [refused.code, refused.err],
      [1, `${state} belongs to a run with --all-headers false; pass --restart to discard it\n`],
    );
    const stranger = await run([...resumable, '--left-token', 'demo-token']);
    t.is(stranger.err, `${state} belongs to a run with other credentials; pass --restart to discard it\n`);

    proxy.recover();
    const { code, err } = await run(resumable);
    const [count, resumed] = [`${good} comparison${good === 1 ? '' : 's'}`, Math.max(0, good - 2)];
    t.deepEqual([code, err], [1, `continuing after ${count} from ${state}\n`]);
    t.deepEqual(await readdir(directory), ['diff.json']);
    const report = JSON.parse(await readFile(json, 'utf8'));
    t.is(report.resumed, resumed);
    t.is(proxy.requests(), report.compared - resumed);
    const whole = await run([...words, '--json', '-']);
    t.deepEqual({ ...report, resumed: 0 }, JSON.parse(whole.out));
  });
}

test('a run that a server ends says how to continue', async (t) => {
  const directory = await directoryWith(t, {});
  const state = join(directory, 'state');
  const { url } = left();
  const words = ['diff', '--left', url, '--right', url, ...acme, '--resume', state];
  const { code, err } = await run([...words, '--max-requests', '5']);
  t.is(code, 1);
  t.regex(
    err,
    /^stopped: 5 requests .*\n.*state holds 5 comparisons, and the same command continues from there\n$/,
  );
  const { out } = await run(words);
  t.regex(out, /^\d+ requests compared, 3 of them in an earlier run: no differences\n$/);
  t.deepEqual(await readdir(directory), []);
});

test('--resume does not take the file of --json, and never overwrites another file', async (t) => {
  const directory = await directoryWith(t, { 'notes.txt': 'mine\n' });
  const file = join(directory, 'notes.txt');
  const words = ['diff', '--left', left().url, '--right', left().url, ...acme, '--resume', file];
  const same = await run([...words, '--json', file]);
  t.deepEqual([same.code, same.err], [2, '--resume and --json must name different files\n']);
  const unnamed = await run([...words.slice(0, -1), '.']);
  t.is(unnamed.code, 1);
  t.regex(unnamed.err, /^cannot read \.: /);
  const taken = await run([...words, '--restart']);
  t.deepEqual(
    [taken.code, taken.err],
    [1, `${file} is not a partial file; remove it, or choose another name\n`],
  );
  t.is(await readFile(file, 'utf8'), 'mine\n');
});
