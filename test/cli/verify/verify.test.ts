import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { VerifyReport } from '../../../src/verify/report.js';
import { assertDecodes } from '../../_codecs.js';
import { directoryWith } from '../../storage/fixtures/_directory.js';
import { portOf } from '../../verify/_port.js';
import { run, sharedServer } from '../_cli.js';

const quiet = ['--log-level', 'silent'];
const boundary = ['--session', 'boundary-session', '--token', 'boundary-token'];
const others = ['--other-session', 'large-session', '--other-token', 'large-token'];
const expired = ['--expired-session', 'acme-session-expired', '--expired-token', 'acme-token-expired'];
const fast = ['--rate', '1000'];

/** A server that all tests share. */
const shared = sharedServer(test, quiet);

/** A server of this process that answers everything in the same wrong way, until the test is over. */
const wrongServer = async (t: ExecutionContext, status: number, body: string): Promise<string> => {
  const server = createServer((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '3600' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  return `http://127.0.0.1:${portOf(server)}`;
};

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
  const environment = {
    TRIAGE_URL: url,
    TRIAGE_SESSION: 'demo-session',
    TRIAGE_TOKEN: 'demo-token',
    TRIAGE_RATE: '1000',
    TRIAGE_JSON: '-',
  };
  const { code, out, err } = await run(['verify'], environment);
  t.deepEqual([code, err], [0, '']);
  const report: unknown = JSON.parse(out);
  t.true(VerifyReport.is(report) && report.must.failed === 0 && report.must.notExercised > 0);
  const junit = await run(['verify', '--junit', '-'], { ...environment, TRIAGE_JSON: '' });
  t.is(junit.code, 0);
  t.true(junit.out.endsWith('</testsuites>\n'), junit.out.slice(-100));
});

test('a small request budget leaves checks unexercised, and nothing fails', async (t) => {
  const { url } = shared();
  const { code, out } = await run(['verify', '--url', url, ...boundary, ...fast, '--max-requests', '12']);
  t.is(code, 0);
  t.regex(out, /requires more requests than --max-requests allows \(12\)/);
  t.regex(out, /\n12 requests in /);
  t.true(out.endsWith(': keeps the contract as far as it was exercised\n'), out);
});

test('invalid credentials: exit code 1, and the failures come first', async (t) => {
  const { url } = shared();
  const { code, out } = await run([
    'verify',
    '--url',
    url,
    '--session',
    'wrong-session',
    '--token',
    'wrong-token',
    ...fast,
  ]);
  t.is(code, 1);
  t.true(out.startsWith('Failed: violates the contract\n  repos.array (2.4, 4.1): '), out);
  t.true(out.endsWith(': breaks the contract\n'), out);
  t.false(/wrong-(?:session|token)/.test(out));
});

test('a server of something else: exit code 1', async (t) => {
  const wrong = await wrongServer(t, 200, '{"hello":"world"}');
  const { code, out, err } = await run(['verify', '--url', wrong, ...boundary, ...fast]);
  t.deepEqual([code, err], [1, '']);
  t.regex(out, /findings\.page \(4\.2 rule 1\)/);
});

test('a server that does not answer: exit code 1 and a line that says why', async (t) => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const closed = `http://127.0.0.1:${portOf(server)}`;
  await new Promise((resolve) => server.close(resolve));
  const { code, out, err } = await run(['verify', '--url', closed, ...boundary, ...fast]);
  t.is(code, 1);
  t.regex(err, /^http:\/\/127\.0\.0\.1:\d+: stopped: connect ECONNREFUSED 127\.0\.0\.1:\d+\n$/);
  t.regex(out, /must: 0 passed, 0 failed, \d+ not exercised\n/);
  t.regex(out, /: could not be checked completely\n$/);
});

test('a server that asks to wait for an hour, or does not answer in time, gets no more requests', async (t) => {
  const busy = await run(['verify', '--url', await wrongServer(t, 503, '{"error":"busy"}'), ...boundary]);
  t.is(busy.code, 1);
  t.regex(busy.err, /: stopped: it answers 503 and asks to wait 3600 s\n$/);
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    silent.close();
    silent.closeAllConnections();
  });
  const slow = `http://127.0.0.1:${portOf(silent)}`;
  const { code, err } = await run(['verify', '--url', slow, ...boundary, '--timeout', '50']);
  t.is(code, 1);
  t.regex(err, /: stopped: no answer within 50 ms\n$/);
});

test('a report that cannot be written: exit code 1, after the others are written', async (t) => {
  const { url } = shared();
  const { code, out, err } = await run([
    'verify',
    '--url',
    url,
    ...boundary,
    ...fast,
    '--junit',
    '/nowhere/x.xml',
  ]);
  t.is(code, 1);
  t.regex(out, /keeps the contract/);
  t.regex(err, /^cannot write \/nowhere\/x\.xml: ENOENT/);
});

const usage: readonly (readonly [words: string, ...err: string[]])[] = [
  [
    'verify',
    '--url: expected an http or https URL without user, query and fragment, such as http://127.0.0.1:4000, got nothing',
    '--session: expected at least 4 letters, digits and signs, without spaces, quotes, commas, semicolons and backslashes, got nothing',
    '--token: expected at least 4 letters, digits and signs, without spaces, quotes, commas, semicolons and backslashes, got nothing',
  ],
  [
    'verify --url ftp://x --session good-session --token good-token',
    '--url: expected an http or https URL without user, query and fragment, such as http://127.0.0.1:4000, got "ftp://x"',
  ],
  [
    'verify --url http://kim:secret@x --session good-session --token good-token --rate 0',
    '--url: expected an http or https URL without user, query and fragment, such as http://127.0.0.1:4000, got "…@x"',
    '--rate: expected a whole number from 1 to 1000, got "0"',
  ],
  [
    'verify --url http://x --session a;secret --token good-token --other-token a,secret --timeout 0',
    '--session: expected at least 4 letters, digits and signs, without spaces, quotes, commas, semicolons and backslashes, got other text',
    '--other-token: expected at least 4 letters, digits and signs, without spaces, quotes, commas, semicolons and backslashes, got other text',
    '--timeout: expected milliseconds from 1 to 86400000, got "0"',
  ],
  [
    'verify --url http://x --session good-session --token good-token --json - --junit -',
    'pass either --json - or --junit -, not both',
  ],
  [
    'diff --left http://x --right http://x --left-session good-session',
    'the right server needs a session: pass --session or --right-session',
  ],
  [
    'diff --left x --session good-session',
    '--left: expected an http or https URL without user, query and fragment, such as http://127.0.0.1:4000, got "x"',
    '--right: expected an http or https URL without user, query and fragment, such as http://127.0.0.1:4000, got nothing',
  ],
];

for (const [words, ...err] of usage) {
  test(`wrong usage: triage-api ${words}`, async (t) => {
    t.deepEqual(await run(words.split(' ')), { code: 2, out: '', err: `${err.join('\n')}\n` });
  });
}
