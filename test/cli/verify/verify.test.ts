import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { verifyThrottling } from '../../../src/cli/verify.js';
import { DiffReport } from '../../../src/verify/diff.js';
import { VerifyReport } from '../../../src/verify/report.js';
import { assertDecodes } from '../../_codecs.js';
import { serveWith } from '../../_server.js';
import { hostileServer } from '../../client/_hostile.js';
import { directoryWith } from '../../fixtures/_directory.js';
import { freePort } from '../../postgres/_embedded.js';
import { run, sharedServer } from '../_cli.js';

const quiet = ['--log-level', 'silent'];
const boundary = ['--session', 'boundary-session', '--token', 'boundary-token'];
const others = ['--other-session', 'large-session', '--other-token', 'large-token'];
const expired = ['--expired-session', 'acme-session-expired', '--expired-token', 'acme-token-expired'];
const fast = ['--rate', '1000'];

/** A server that all tests share. */
const shared = sharedServer(test, quiet);

/** A server that answers everything in the same wrong way. */
const wrongServer = (t: ExecutionContext, status: number, body: string): Promise<string> =>
  serveWith(t, (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });

test('a server that keeps the contract: exit code 0, everything is exercised, and all reports are written', async (t) => {
  const { url } = shared();
  const directory = await directoryWith(t, { 'report.json': 'old' });
  const [json, junit] = [join(directory, 'report.json'), join(directory, 'report.xml')];
  const words = ['verify', '--url', `${url}/`, ...boundary, ...others, ...expired, ...fast];
  const { code, out, err } = await run([...words, '--json', json, '--junit', junit]);
  t.deepEqual([code, err], [0, ''], out);
  t.regex(
    out,
    /must: \d{3} passed, 0 failed, 0 not exercised\ninfo: \d+ passed, 0 differ, 0 not exercised\n/,
  );
  t.true(out.endsWith(`${url}/: keeps the contract\n`), out);
  const report: unknown = JSON.parse(await readFile(json, 'utf8'));
  assertDecodes(t, VerifyReport, report);
  t.regex(await readFile(junit, 'utf8'), /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites /);
  t.deepEqual((await readdir(directory)).sort(), ['report.json', 'report.xml']);
});

test('settings can come from the environment, and one report can go to standard output', async (t) => {
  const { url } = shared();
  const given = { TRIAGE_URL: url, TRIAGE_SESSION: 'demo-session', TRIAGE_TOKEN: 'demo-token' };
  const environment = { ...given, TRIAGE_RATE: '1000', TRIAGE_JSON: '-' };
  const { code, out, err } = await run(['verify'], environment);
  t.deepEqual([code, err], [0, '']);
  const report: unknown = JSON.parse(out);
  t.true(VerifyReport.is(report) && report.must.failed === 0 && report.must.notExercised > 0);
  const junit = await run(['verify', '--junit', '-'], { ...environment, TRIAGE_JSON: '' });
  t.is(junit.code, 0);
  t.true(junit.out.endsWith('</testsuites>\n'), junit.out.slice(-100));
});

test('a small request budget exercises too little: exit code 1, and a sentence that says so', async (t) => {
  const { url } = shared();
  const words = ['verify', '--url', url, ...boundary, '--max-requests', '60'];
  const { code, out } = await run(words);
  t.is(code, 1);
  t.regex(out, /\n60 requests in /);
  t.true(out.endsWith(': too little was exercised for a verdict\n'), out);
  const lenient = await run([...words, '--min-exercised', '20']);
  t.is(lenient.code, 0);
  t.true(lenient.out.endsWith(': keeps the contract as far as it was exercised\n'), lenient.out);
});

test('a URL that is not that of the API: exit code 2 and a hint', async (t) => {
  const { url } = shared();
  const [left, session] = [`${url}/api/v1`, 'boundary-session'];
  for (const [words, ...options] of [
    [['verify', '--url', left, ...boundary], '--url'],
    [['record', 'x.json', '--url', `${left}/`, '--session', session], '--url'],
    [['diff', '--left', left, '--right', left, '--session', session], '--left', '--right'],
  ] as const) {
    const err = options.map((option) => `${option}: leave out /api/v1, and pass ${url}\n`).join('');
    t.deepEqual(await run(words), { code: 2, out: '', err });
  }
  const wrong = await wrongServer(t, 200, '{"hello":"world"}');
  const { code, err } = await run(['verify', '--url', wrong, ...boundary]);
  t.is(code, 2);
  t.regex(err, /^--url: no response looks like the API v1 \(200\); pass the URL .*\n$/);
});

test('a server that fails in every operation breaks the contract: exit code 1', async (t) => {
  const wrong = await wrongServer(t, 500, '{"error":"broken"}');
  const { code, out, err } = await run(['verify', '--url', wrong, ...boundary]);
  t.deepEqual([code, err], [1, '']);
  t.regex(out, /^To fix, the gravest first\n {2}Valid requests fail with a 5xx: .* \(4; data\)\n/);
  t.true(out.trimEnd().split('\n').length <= 25, out);
  const detailed = await run(['verify', '--url', wrong, ...boundary, '--details']);
  t.true(detailed.out.startsWith('Failed: violates the contract\n  '), detailed.out);
  t.regex(detailed.out, /\n {2,4}repos\.array \(2\.4, 4\.1\): /);
  t.true(out.endsWith(': breaks the contract\n'), out);
});

const tooLong = /the response to GET \/api\/v1\/\S+ is longer than 100kb \(--max-body\)/;
const stranger = '--session stranger';
const demo = '--session demo-session';
const noFile = '\nnothing was recorded\n$';

test('a server that does not answer, answers too much, or refuses credentials ends each command with the reason, and no file', async (t) => {
  const folder = await directoryWith(t, {});
  const values: Readonly<Record<string, string>> = {
    FILE: join(folder, 'new', 'x.json'),
    REAL: shared().url,
    CLOSED: `http://127.0.0.1:${await freePort()}`,
    SLOW: await serveWith(t, () => {}),
    BUSY: await serveWith(t, (_, response) => response.writeHead(503, { 'retry-after': '0' }).end()),
    ENDLESS: (await hostileServer(t, 'an endless body')).url,
    BOTH: [...boundary, ...fast].join(' '),
  };
  for (const [code, words, pattern] of [
    [1, 'verify --url CLOSED BOTH', /^http:\S+: cannot be verified: connect ECONNREFUSED \S+\n$/],
    [1, 'verify --url SLOW BOTH --timeout 50', /: cannot be verified: no answer within 50 ms\n$/],
    [1, 'verify --url ENDLESS BOTH --max-body 100kb', tooLong],
    [
      2,
      'verify --url REAL BOTH --cookie sid',
      /^--session: no operation accepts it \(401\); .*--cookie\)\n$/,
    ],
    [1, 'verify --url REAL BOTH --junit /nowhere/x.xml', /^cannot write \/nowhere\/x\.xml: ENOENT/],
    [1, `record FILE --url CLOSED ${demo}`, RegExp(`: no response: connect ECONNREFUSED .*${noFile}`)],
    [1, `record FILE --url BUSY ${demo}`, RegExp(`: no response: it keeps answering 503${noFile}`)],
    [1, `record FILE --url ENDLESS ${demo} --max-body 100kb`, tooLong],
    [1, `record FILE --url REAL ${stranger}`, RegExp(`: expected status 200, got 401 .*${noFile}`)],
    [1, `record package.json/x.json --url REAL ${demo}`, /^cannot write package\.json\/x\.json: ENOTDIR/],
    [1, `diff --left REAL --right CLOSED ${demo}`, /^stopped: the right server does not .*ECONNREFUSED/],
    [1, `diff --left ENDLESS --right REAL ${demo} --max-body 100kb`, tooLong],
    [1, `diff --left REAL --right REAL ${stranger}`, /^stopped: the left server sends no list: .* 401/m],
  ] as const) {
    const given = words.replaceAll(/\b[A-Z]{4,}\b/g, (name) => values[name] ?? name).split(' ');
    const { code: ended, out, err } = await run(given);
    t.is(ended, code, words);
    t.regex(`${err}${out}`, pattern, words);
  }
  t.deepEqual(await readdir(folder), []);
  const { CLOSED = '', REAL = '' } = values;
  const verified = await run(['verify', '--url', CLOSED, ...boundary, '--json', '-']);
  const compared = await run(['diff', '--left', REAL, '--right', CLOSED, ...demo.split(' '), '--json', '-']);
  t.true(VerifyReport.is(JSON.parse(verified.out)) && DiffReport.is(JSON.parse(compared.out)));
});

test('a server on this machine is asked at any rate, another one 20 times a second by default', (t) => {
  const gapFor = (url: string, rate?: number) =>
    verifyThrottling({ url, rate, maxRequests: 10, concurrency: 4 }).gap;
  for (const host of ['127.0.0.1', 'localhost:4000', '[::1]:4000']) t.is(gapFor(`http://${host}/x`), 0, host);
  t.is(gapFor('https://triage.example'), 50);
  t.is(gapFor('http://127.0.0.1', 10), 100);
});

test('one check is repeated alone with --only, and an id that no check has is an error of usage', async (t) => {
  const { url } = shared();
  const words = ['verify', '--url', url, ...boundary, '--json', '-'];
  const { code, out } = await run([...words, '--only', 'prs.status.closed']);
  t.is(code, 0, out);
  const report: unknown = JSON.parse(out);
  if (!VerifyReport.is(report)) return t.fail(out);
  t.true(report.checks.length === 4 && report.checks.every(({ id }) => id.startsWith('prs.status.closed.')));
  const wrong = await run([...words, '--only', 'prs.stat']);
  t.is(wrong.code, 2);
  t.regex(wrong.err, /--only: there is no check prs\.stat/);
});

test('what a server gets wrong is printed as SARIF, and as annotations of GitHub', async (t) => {
  const url = await wrongServer(t, 200, '[]');
  const words = ['verify', '--url', url, '--session', 'any-session', '--token', 'any-token', '--format'];
  const sarif = await run([...words, 'sarif']);
  t.is(sarif.code, 1);
  const idsIn = (key: string) =>
    Array.from(sarif.out.matchAll(RegExp(`"${key}": ?"([^"]+)"`, 'g')), ([, id]) => id);
  const [rules, results] = [new Set(idsIn('id')), idsIn('ruleId')];
  t.is(JSON.parse(sarif.out).version, '2.1.0');
  t.true(results.length > 10 && results.every((id) => rules.has(id)));
  t.true(sarif.out.includes('curl -i'));
  const github = await run([...words, 'github']);
  t.is(github.code, 1);
  t.regex(
    github.out,
    /^::error title=Requests without credentials are answered%3A .*::GET \S+ .*%0Acurl -i '.*'$/m,
  );
  t.regex(github.out, /^To fix, the gravest first$/m);
});
