import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { aRepo, aSession, aToken, aUser } from '../_data.js';
import { announced, raw, talk } from '../_raw.js';
import { cookie } from '../_server.js';
import { directoryWith } from '../storage/fixtures/_directory.js';
import { listen, run } from './_cli.js';

const acme = cookie('acme-session');

const farAway = { expiresAt: '2999-01-01T00:00:00.000Z' };

/** The header and the URL of a printed `curl` command. */
const printed = (out: string): readonly (readonly [header: string, url: string])[] =>
  Array.from(out.matchAll(/^ {2}curl -H '(.*)' '(.*)'$/gm), ([, header, url]) => [
    (header ?? '').replaceAll("'\\''", "'"),
    url ?? '',
  ]);

const follow = ([header, url]: readonly [string, string]): Promise<Response> => {
  const colon = header.indexOf(':');
  return fetch(url, { headers: { [header.slice(0, colon)]: header.slice(colon + 1).trim() } });
};

test('it prints one request for each operation, each of which works, and then that it listens', async (t) => {
  const { out, url } = await listen(t, []);
  t.regex(out(), /^triage-api: mock data from .*fixtures, not the real service\n/);
  t.regex(out(), /\nlistening on http:\/\/127\.0\.0\.1:\d+\n$/);
  const requests = printed(out());
  t.deepEqual(
    requests.map(([, each]) => each.slice(url.length).replace(/fix_\d+/, '…')),
    ['/api/v1/repos', '/api/v1/findings?page=1&limit=5', '/api/v1/findings/…', '/api/v1/prs?status=open'],
  );
  for (const request of requests) t.is((await follow(request)).status, 200, request[1]);
});

test('it lists the credentials of every tenant, and they work', async (t) => {
  const { out, url } = await listen(t, []);
  const rows = Array.from(out().matchAll(/^ {2}(\w+) +(\w+-session) +(\w+-token)$/gm));
  t.deepEqual(
    rows.map(([, name]) => name),
    ['acme', 'boundary', 'demo', 'empty', 'large'],
  );
  for (const [, , session, token] of rows) {
    t.is((await fetch(`${url}/api/v1/repos`, cookie(session ?? ''))).status, 200);
    t.is((await fetch(`${url}/api/v1/prs`, { headers: { Authorization: `Bearer ${token}` } })).status, 200);
  }
});

test('secrets and ids of any kind are quoted for the shell', async (t) => {
  const directory = await directoryWith(t, {
    'x.json': { user: aUser('x'), sessions: [aSession("it's", farAway)], apiTokens: [] },
  });
  const { out } = await listen(t, ['--fixtures', directory]);
  const requests = printed(out());
  t.is(requests.length, 4);
  t.is(requests[0]?.[0], "Cookie: session=it's");
  t.deepEqual(
    await Promise.all(requests.map(async (request) => (await follow(request)).status)),
    [200, 200, 404, 200],
  );
});

test('with nothing to sign in by, it says so; of many tenants, it lists ten', async (t) => {
  const directory = await directoryWith(
    t,
    Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`t${i}.json`, { user: aUser(`t${i}`) }])),
  );
  const { out } = await listen(t, ['--fixtures', directory]);
  t.regex(out(), /no session or token of these fixtures works now/);
  t.regex(out(), /^ {2}… and 2 more$/m);
});

test('quiet: neither requests nor the listening line', async (t) => {
  const { out, shows, end } = await listen(t, ['--quiet', '--host', '0.0.0.0'], {}, 'OPEN TO OTHER MACHINES');
  await shows('OPEN TO OTHER MACHINES');
  t.is(out(), '');
  t.is((await end('SIGTERM')).code, 0);
});

test('an option beats the environment, the environment the default', async (t) => {
  const directory = await directoryWith(t, {
    'x.json': { user: aUser('x'), sessions: [aSession('x', farAway)] },
  });
  const fromEnvironment = await listen(t, [], {
    TRIAGE_FIXTURES: directory,
    TRIAGE_STRICT: 'yes',
    HOST: 'localhost',
    PORT: '',
  });
  t.regex(fromEnvironment.url, /^http:\/\/localhost:\d+$/);
  t.is((await fetch(`${fromEnvironment.url}/api/v1/repos?x=1`, cookie('x'))).status, 400);
  const byOption = await listen(t, ['--host', '127.0.0.1'], {
    HOST: 'no.such.host.test',
    TRIAGE_STRICT: '0',
  });
  t.is((await fetch(`${byOption.url}/api/v1/repos?x=1`, acme)).status, 200);
});

test('a frozen clock: dates of the fixtures move to it, and stay', async (t) => {
  const { url } = await listen(t, ['--now', '2031-05-06T07:08:09Z']);
  const repos = async () => Object(await (await fetch(`${url}/api/v1/repos`, acme)).json());
  const [first] = await repos();
  t.is(first.lastScanRelative, '4 minutes ago');
  t.is(first.lastScanAt, '2031-05-06T07:04:09.000Z');
  t.deepEqual(await repos(), await repos());
});

test('a busy port, and an address that is not ours: one clear line, exit 1', async (t) => {
  const { url } = await listen(t, []);
  const port = new URL(url).port;
  t.deepEqual(await run(['--port', port]), {
    code: 1,
    out: '',
    err: `port ${port} on 127.0.0.1 is in use: stop what listens there, or choose another with --port (0 takes a free one)\n`,
  });
  t.deepEqual(await run(['--port', '0', '--host', '192.0.2.1']), {
    code: 1,
    out: '',
    err: '192.0.2.1 is not an address of this machine: choose another with --host\n',
  });
});

test('bound wider than loopback, it warns, and prints requests that work here', async (t) => {
  const { err, out } = await listen(t, ['--host', '0.0.0.0']);
  t.regex(
    err(),
    /"level":"warn","event":"OPEN TO OTHER MACHINES: on 0\.0\.0\.0, whoever reaches port \d+ can sign in/,
  );
  t.regex(out(), /listening on http:\/\/0\.0\.0\.0:\d+\n$/);
  for (const request of printed(out())) t.is((await follow(request)).status, 200);
  t.is((await listen(t, [])).err(), '');
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal}: what is in flight is finished, nothing new is taken, exit 0`, async (t) => {
    const { url, end, shows } = await listen(t, ['--delay', '2000']);
    await fetch(`${url}/healthz`); // leaves an idle, kept-alive connection behind
    const slow = talk(url, announced('/api/v1/repos', 'acme-session'));
    await slow.shows(/100 Continue/);
    const ended = end(signal);
    await shows('finishing requests in flight');
    await t.throwsAsync(fetch(`${url}/healthz`));
    t.regex(await slow.shows(/\]$/), /HTTP\/1\.1 200 OK\r\n[\s\S]*Connection: close\r\n[\s\S]*\]$/);
    t.is((await ended).code, 0);
  });
}

test('a second signal does not wait', async (t) => {
  const { url, end, child, shows } = await listen(t, ['--delay', '60000']);
  await talk(url, announced('/api/v1/repos', 'acme-session')).shows(/100 Continue/);
  const ended = end('SIGINT');
  await shows('finishing requests in flight');
  child.kill('SIGINT');
  t.is((await ended).code, null);
});

test('jitter adds up to so much, and delay at least so much', async (t) => {
  const { url } = await listen(t, ['--delay', '80', '--jitter', '40']);
  const started = performance.now();
  await fetch(`${url}/api/v1/repos`, acme);
  t.true(performance.now() - started >= 75);
});

test('connections on which nothing is asked do not hold up the end, nor does a client that would have to wait', async (t) => {
  const { url, end } = await listen(t, ['--delay', '60000']);
  const port = Number(new URL(url).port);
  const silent = connect(port, '127.0.0.1');
  const half = connect(port, '127.0.0.1', () => half.write('GET / HTTP/1.1\r\nHo'));
  for (const socket of [silent, half]) socket.on('error', () => {});
  await fetch(`${url}/healthz`);
  const started = performance.now();
  t.is((await end('SIGTERM')).code, 0);
  t.true(performance.now() - started < 9000);
});

test('after ten seconds, what is still in flight is cut off', async (t) => {
  const { url, end } = await listen(t, ['--delay', '60000']);
  const slow = talk(url, announced('/api/v1/repos', 'acme-session'));
  await slow.shows(/100 Continue/);
  const started = performance.now();
  const { code } = await end('SIGTERM');
  t.notRegex(await slow.shows(/200 OK/), /200 OK/);
  t.is(code, 0);
  const took = performance.now() - started;
  t.true(took > 9000 && took < 20_000, `${took} ms`);
});

const fixture = (owner: string) => ({
  user: aUser('x'),
  sessions: [aSession('x', farAway)],
  repos: [aRepo('r', { owner })],
});

/** Puts a file in place as editors do that care: never half of it. */
const put = async (file: string, content: unknown): Promise<void> => {
  await writeFile(`${file}.new`, typeof content === 'string' ? content : JSON.stringify(content));
  await rename(`${file}.new`, file);
};

const eventually = async (t: ExecutionContext, is: () => Promise<boolean>): Promise<void> => {
  for (let i = 0; i < 500; i += 1) {
    if (await is()) {
      t.pass();
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  t.fail('it never came');
};

test('fixtures are read again when they change; bad ones are told, and the good ones stay', async (t) => {
  const directory = await directoryWith(t, { 'x.json': fixture('before') });
  const file = join(directory, 'x.json');
  const { url, shows } = await listen(t, ['--fixtures', directory]);
  const owner = async (): Promise<unknown> =>
    Object(await (await fetch(`${url}/api/v1/repos`, cookie('x'))).json())[0]?.owner;
  t.is(await owner(), 'before');

  await put(file, '{"user": null}');
  await shows('x.json:1:10 /user: expected user, got null');
  t.is(await owner(), 'before');

  await put(file, fixture('after'));
  await eventually(t, async () => (await owner()) === 'after');

  await rm(file);
  await shows('no *.json files in this directory');
  t.is(await owner(), 'after');

  await rm(directory, { recursive: true });
  await shows('no such directory');
  await mkdir(directory);
  await put(file, fixture('again'));
  await eventually(t, async () => (await owner()) === 'again');
  await put(file, fixture('and again'));
  await eventually(t, async () => (await owner()) === 'and again');
});

test('a change while the server starts is not missed', async (t) => {
  const directory = await directoryWith(t, { 'x.json': fixture('before') });
  const { url } = await listen(t, ['--fixtures', directory]);
  await put(join(directory, 'x.json'), fixture('after'));
  await eventually(
    t,
    async () => Object(await (await fetch(`${url}/api/v1/repos`, cookie('x'))).json())[0]?.owner === 'after',
  );
});

test('with --no-watch they are not', async (t) => {
  const directory = await directoryWith(t, { 'x.json': fixture('before') });
  const { url, err } = await listen(t, ['--fixtures', directory, '--no-watch']);
  await writeFile(join(directory, 'x.json'), JSON.stringify(fixture('after')));
  await new Promise((resolve) => setTimeout(resolve, 500));
  t.is(Object(await (await fetch(`${url}/api/v1/repos`, cookie('x'))).json())[0].owner, 'before');
  t.is(err(), '');
});

test('requests are logged as JSON lines to one stream, what is odd about them to the other, and no secret to either', async (t) => {
  const directory = await directoryWith(t, {
    'x.json': {
      user: aUser('x'),
      sessions: [aSession('the-cookie', farAway)],
      apiTokens: [aToken('the-token')],
    },
  });
  const { url, out, err, end } = await listen(t, ['--fixtures', directory]);
  const printedLines = out().length;
  await fetch(`${url}/api/v1/repos?oops=the-token`, cookie('the-cookie'));
  await fetch(`${url}/api/v1/prs`, { headers: { Authorization: 'Bearer the-token' } });
  await end('SIGTERM');
  const lines = out()
    .slice(printedLines)
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
  t.is(JSON.parse(err().split('\n')[0] ?? '').event, 'ignored unknown query parameters: "oops"');
  t.notRegex(`${out().slice(printedLines)}${err()}`, /the-cookie|the-token|secret/);
});

test('with --log-level silent nothing is logged', async (t) => {
  const { url, out, end } = await listen(t, ['--log-level', 'silent']);
  const before = out();
  await fetch(`${url}/api/v1/repos?oops=1`, acme);
  t.deepEqual(await end('SIGTERM'), { code: 0, out: before, err: '' });
});

test('that nobody reads its output does not end it', async (t) => {
  const { url, child } = await listen(t, []);
  child.stdout?.destroy();
  child.stderr?.destroy();
  for (let i = 0; i < 3; i += 1) t.is((await fetch(`${url}/api/v1/repos`, acme)).status, 200);
});

test('an expectation that we do not meet, and a request for no host, are answered in JSON', async (t) => {
  const { url } = await listen(t, []);
  const expecting = await raw(
    url,
    'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: more\r\nConnection: close\r\n\r\n',
  );
  t.regex(expecting, /^HTTP\/1\.1 417 [\s\S]*application\/json[\s\S]*\{"error":"Expectation Failed"\}/);
  const hostless = await raw(url, 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n');
  t.regex(hostless, /^HTTP\/1\.1 400 [\s\S]*application\/json[\s\S]*\{"error":"Bad Request"\}/);
});

for (const [what, request, status] of [
  ['no HTTP', 'hello\r\n\r\n', '400 Bad Request'],
  [
    'headers beyond any measure',
    `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    '431 Request Header Fields Too Large',
  ],
] as const) {
  test(`${what} is answered in JSON too`, async (t) => {
    const { url } = await listen(t, []);
    const answer = await raw(url, request);
    t.true(
      answer.startsWith(`HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\n`),
      answer,
    );
    t.true(answer.endsWith(`\r\n\r\n${JSON.stringify({ error: status.slice(4) })}`), answer);
  });
}
