import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import { ImportSummary } from '../../../src/data/reports/import-summary.js';
import { bearer, cookie } from '../../_server.js';
import { samples } from '../../data/reports/_samples.js';
import { directoryWith } from '../../fixtures/_directory.js';
import { listen, run } from '../_cli.js';

const npm = samples['npm audit (npm 7 and later)'];
const alerts = samples['Dependabot alerts (REST API or webhook)'];
const asOf = ['--as-of', '2026-11-20T12:00:00Z'];

test('the file is private, check accepts it, and it is served with the credentials that are printed', async (t) => {
  const directory = await directoryWith(t, { 'audit.json': npm, 'alerts.json': alerts });
  const mine = await directoryWith(t, {});
  const file = join(mine, 'team.json');
  const reports = [join(directory, 'audit.json'), join(directory, 'alerts.json')];
  const words = ['import-from', ...reports, '--repo', 'acme/web', '--out', file, ...asOf];
  const { code, out, err } = await run(words);
  t.is(code, 0, err);
  t.regex(err, /^in all: 2 files, 2 repos, 5 read: 4 findings, 0 merged, 1 left out$/m);
  const [, summary] = /^(.*): user@/.exec(out) ?? [];
  t.is(summary, file);
  t.is((await stat(file)).mode & 0o777, 0o600);
  t.deepEqual(await readdir(mine), ['team.json']);
  t.is((await run(['check', mine])).code, 0);
  const [, session = '', token = ''] = /^session cookie: (\S+), bearer token: (\S+)$/m.exec(out) ?? [];
  const { url } = await listen(t, ['--log-level', 'silent', '--fixtures', mine]);
  const findings = await (await fetch(`${url}/api/v1/findings`, cookie(session))).json();
  t.is(Object(findings).totalItems, 4);
  t.is((await fetch(`${url}/api/v1/prs`, bearer(token))).status, 200);
});

test('without --out, the tenant alone goes to standard output', async (t) => {
  const directory = await directoryWith(t, { 'audit.json': npm });
  const { code, out, err } = await run(['import-from', join(directory, 'audit.json'), ...asOf]);
  t.is(code, 0);
  t.like(JSON.parse(out), { asOf: '2026-11-20T12:00:00.000Z', sessions: [{ value: 'imported-session' }] });
  t.regex(err, /^session cookie: imported-session, bearer token: imported-token$/m);
});

test('a sparse file has only what the reports say, and check accepts it', async (t) => {
  const directory = await directoryWith(t, { 'audit.json': npm });
  const mine = await directoryWith(t, {});
  const file = join(mine, 'x.json');
  const { code } = await run(['import-from', join(directory, 'audit.json'), '--sparse', '-o', file, ...asOf]);
  t.is(code, 0);
  const content = JSON.parse(await readFile(file, 'utf8'));
  t.deepEqual(Object.keys(content), ['asOf', 'repos', 'findings']);
  t.is(content.findings[0].reachability, undefined);
  const checked = await run(['check', mine]);
  t.is(checked.code, 0, checked.err);
});

test('the summary is written as JSON, to a file or to standard output', async (t) => {
  const directory = await directoryWith(t, { 'audit.json': npm });
  const [report, out, json] = ['audit.json', 'team.json', 'summary.txt'].map((name) => join(directory, name));
  const words = ['import-from', report ?? '', '--out', out ?? '', ...asOf];
  const toFile = await run([...words, '--json', json ?? '']);
  t.is(toFile.code, 0, toFile.err);
  t.regex(toFile.err, /2 findings/);
  const written: unknown = JSON.parse(await readFile(json ?? '', 'utf8'));
  t.true(ImportSummary.is(written));
  const toOutput = await run([...words, '--force', '--json', '-']);
  t.deepEqual([toOutput.code, toOutput.err], [0, '']);
  t.deepEqual(JSON.parse(toOutput.out), written);
  t.like(written, {
    total: { read: 3, findings: 2, merged: 0, leftOut: 1 },
    tenant: { session: 'team-session' },
  });
});

test('a folder as --out gets the file imported.json', async (t) => {
  const directory = await directoryWith(t, { 'audit.json': npm });
  const mine = await directoryWith(t, {});
  for (const [folder, file] of [
    [mine, join(mine, 'imported.json')],
    [`${mine}/new/`, join(mine, 'new/imported.json')],
  ] as const) {
    const { code, out } = await run(['import-from', join(directory, 'audit.json'), '-o', folder, ...asOf]);
    t.is(code, 0);
    t.true(out.startsWith(`${file}: user@imported.test`), out);
    t.like(JSON.parse(await readFile(file, 'utf8')), { user: { email: 'user@imported.test' } });
  }
  const both = ['-o', mine, '--json', join(mine, 'imported.json'), '--force'];
  t.is((await run(['import-from', join(directory, 'audit.json'), ...both])).code, 2);
});

test('every file that cannot be imported is named, and then nothing is written', async (t) => {
  const directory = await directoryWith(t, {
    'good.json': npm,
    'cut.json': '{"a": [',
    'other.json': { a: 1 },
  });
  const at = (name: string): string => join(directory, name);
  const words = ['good.json', 'cut.json', 'other.json', 'none.json', ''].map(at);
  const { code, out, err } = await run(['import-from', ...words, '--out', at('team.json')]);
  t.deepEqual([code, out], [1, '']);
  t.deepEqual(err.trimEnd().split('\n'), [
    `${at('cut.json')} is not valid JSON: it ends too early, as if the tool was interrupted`,
    `${at('other.json')} has no known format (see docs/reports.md): it is an object with the keys "a"`,
    `${at('none.json')} cannot be read: there is no such file`,
    `${at('')} cannot be read: it is a directory`,
    'nothing was imported',
  ]);
  t.deepEqual((await readdir(directory)).toSorted(), ['cut.json', 'good.json', 'other.json']);
});

test('a file that is too large is not read to its end', async (t) => {
  const directory = await directoryWith(t, { 'audit.json': npm });
  const file = join(directory, 'audit.json');
  const { code, err } = await run(['import-from', file, '--max-size', '1kb']);
  t.is(code, 1);
  t.is(err.split('\n')[0], `${file} is larger than 1024 bytes; --max-size allows more, up to 256mb`);
});

test('standard input is read, and the environment names repositories', async (t) => {
  const directory = await directoryWith(t, { 'audit.json': npm });
  const program = fileURLToPath(new URL('../../../../bin/triage-api.js', import.meta.url));
  const { stdout, stderr } = await promisify(execFile)(
    'sh',
    ['-c', `"$0" "$1" import-from - audit.json --out team.json < audit.json`, process.execPath, program],
    { cwd: directory, env: { ...process.env, TRIAGE_REPO: 'acme/web, acme/api' } },
  );
  t.regex(stderr, /^standard input: npm audit \(npm 7 and later\), acme\/web$/m);
  t.regex(stdout, /2 repos/);
  t.deepEqual(await run(['import-from', '-']), {
    code: 1,
    out: '',
    err: 'standard input is empty; the tool may have failed, or it found nothing and wrote nothing\nnothing was imported\n',
  });
});
