import test from 'ava';
import { aSession, aToken, aUser } from '../../_data.js';
import { cookie } from '../../_server.js';
import { directoryWith } from '../../fixtures/_directory.js';
import { listen, run, sharedServer } from '../_cli.js';

const acme = cookie('acme-session');

const farFuture = { expiresAt: '2999-01-01T00:00:00.000Z' };

/** A server over the shipped fixtures that tests share. */
const shared = sharedServer(test, []);

test('--now freezes the clock, and moves the dates of the fixtures to it', async (t) => {
  const { url } = await listen(t, ['--now', '2031-05-06T07:08:09Z']);
  const repos = async () => Object(await (await fetch(`${url}/api/v1/repos`, acme)).json());
  const [first] = await repos();
  t.is(first.lastScanRelative, '4 minutes ago');
  t.is(first.lastScanAt, '2031-05-06T07:04:09.000Z');
  t.deepEqual(await repos(), await repos());
});

test('a busy port and a foreign address: one line says why, and the exit code is 1', async (t) => {
  const { url } = shared();
  const port = new URL(url).port;
  t.deepEqual(await run(['--port', port]), {
    code: 1,
    out: '',
    err: `port ${port} on 127.0.0.1 is in use: stop the other program, or choose a port with --port (0: a free one)\n`,
  });
  t.deepEqual(await run(['--port', '0', '--host', '192.0.2.1']), {
    code: 1,
    out: '',
    err: '192.0.2.1 is not an address of this machine: choose another one with --host\n',
  });
});

test('requests are logged as JSON to standard output, diagnostics to standard error, and secrets to neither', async (t) => {
  const directory = await directoryWith(t, {
    'x.json': {
      user: aUser('x'),
      sessions: [aSession('the-cookie', farFuture)],
      apiTokens: [aToken('the-token')],
    },
  });
  const { url, out, diagnostics, end } = await listen(t, ['--fixtures', directory]);
  await fetch(`${url}/api/v1/repos?oops=the-token`, cookie('the-cookie'));
  await fetch(`${url}/api/v1/prs`, { headers: { Authorization: 'Bearer the-token' } });
  await end('SIGTERM');
  const lines = out()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.deepEqual(
    lines.map(({ method, url, status }) => [method, url, status]),
    [
      ['GET', '/api/v1/repos?oops=…', 200],
      ['GET', '/api/v1/prs', 200],
    ],
  );
  for (const { time, ms } of lines) {
    t.regex(time, /^\d{4}-\d\d-\d\dT/);
    t.is(typeof ms, 'number');
  }
  t.is(JSON.parse(diagnostics().split('\n')[0] ?? '').event, 'ignored unknown query parameters: "oops"');
  t.notRegex(`${out()}${diagnostics()}`, /the-cookie|the-token|secret/);
});

test('--log-level silent logs nothing', async (t) => {
  const { url, err, end } = await listen(t, ['--log-level', 'silent']);
  const before = err();
  await fetch(`${url}/api/v1/repos?oops=1`, acme);
  t.deepEqual(await end('SIGTERM'), { code: 0, out: '', err: before });
});

test('--compression decides, and without it a trusted proxy is left to compress', async (t) => {
  for (const [words, encoding] of [
    [[], 'br'],
    [['--no-compression'], null],
    [['--trust-proxy'], null],
    [['--trust-proxy', '--compression'], 'br'],
  ] as const) {
    const { url } = await listen(t, [...words]);
    const headers = { Cookie: 'session=acme-session', 'Accept-Encoding': 'br' };
    const answer = await fetch(`${url}/api/v1/findings`, { headers });
    t.is(answer.headers.get('content-encoding'), encoding, words.join(' '));
    t.is(answer.headers.get('vary')?.includes('Accept-Encoding'), encoding !== null);
    t.true(Object(await answer.json()).items.length > 0);
  }
});
