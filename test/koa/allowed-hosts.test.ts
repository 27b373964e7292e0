import test from 'ava';
import { allowedHosts, isHost } from '../../src/common/own-hosts.js';
import { raw } from '../_raw.js';
import { serve, type TestLife } from '../_server.js';

/** A server, and the answer, or its status, to a request for a host. */
const serveFor = async (
  t: TestLife,
  more: Parameters<typeof serve>[3],
  over: Parameters<typeof serve>[2] = {},
) => {
  const { url, logged } = await serve(t, [], over, more);
  const ask = (host: string, path = '/api/v1/repos', ...headers: readonly string[]): Promise<string> =>
    raw(url, [`GET ${path} HTTP/1.1`, `Host: ${host}`, ...headers, 'Connection: close', '', ''].join('\r\n'));
  const status = async (...words: Parameters<typeof ask>): Promise<number> =>
    Number((await ask(...words)).slice(9, 12));
  return { ask, status, logged, url };
};

const isAllowed = allowedHosts(['triage.example.com', '.Example.org', '[2001:db8::1]']);

test('the names of this machine and of the list are allowed, with any port, and no other host', (t) => {
  const allowed =
    'localhost LOCALHOST:4000 localhost. app.localhost:4000 A.b.Localhost 10.0.2.2:4000 10.0.3.2 127.0.0.1 127.255.0.9:1 [::1] [::1]:4000 triage.example.com ' +
    'Triage.Example.COM:8443 example.org a.b.example.org:1 [2001:db8::1]:80';
  for (const host of allowed.split(' ')) t.true(isHost(host) && isAllowed(host), host);
  const others =
    'evil.test localhost.evil.test evil-localhost .localhost 10.0.2.3 10.0.2.2.evil.test 127.0.0.1.evil.test 127.1 128.0.0.1 0.0.0.0 [::2] ' +
    '[::ffff:127.0.0.1] example.com x.triage.example.com badexample.org';
  for (const host of others.split(' ')) t.true(isHost(host) && !isAllowed(host), host);
  for (const text of ['', 'a b', ...':80 a@b a/b a,b/ [::1 ::1 a:b a:1:2 a\\b a#b é'.split(' ')])
    t.false(isHost(text), text);
});

test('on a loopback address, requests for other hosts are answered with 421, naming the option', async (t) => {
  const { ask, status, logged } = await serveFor(t, { allowedHosts: ['.example.com'] });
  for (const host of ['localhost:1', '127.0.0.1', '[::1]', 'example.com', 'a.example.com:80']) {
    t.is(await status(host), 401, host);
  }
  const answer = await ask('evil.test:4000');
  t.regex(answer, /^HTTP\/1\.1 421 Misdirected Request\r\n[\s\S]*Content-Security-Policy: /);
  t.true(
    answer.endsWith(
      '{"error":"This server does not answer for evil.test:4000; its option --allowed-host names the hosts that it does"}',
    ),
    answer,
  );
  t.is(logged.length, 1);
  t.like(logged[0], {
    level: 'warn',
    event: 'host.refused',
    facts: { host: 'evil.test:4000', address: '127.0.0.1' },
  });
  t.is(await status('evil.test', '/login'), 421);
  t.is(await status('evil.test', '/'), 421);
});

test('health checks are answered for every host', async (t) => {
  const { status } = await serveFor(t, { allowedHosts: [] });
  t.is(await status('10.0.0.7:4000', '/healthz'), 200);
  t.is(await status('10.0.0.7:4000', '/readyz'), 200);
  t.is(await status('10.0.0.7:4000', '/healthz/'), 421);
});

test('the host of an absolute URL counts instead of the header, and a forwarded one only with a trusted proxy', async (t) => {
  const { status } = await serveFor(t, { allowedHosts: [] });
  t.is(await status('evil.test', '/', 'X-Forwarded-Host: localhost'), 421);
  t.is(await status('localhost', 'http://evil.test/api/v1/repos'), 421);
  t.is(await status('evil.test', 'http://localhost/api/v1/repos'), 401);
});

test('with a trusted proxy, the host that it states counts, also without a `Host` header', async (t) => {
  const { status, url } = await serveFor(t, { allowedHosts: ['triage.example.com'] }, { trustProxy: true });
  for (const [forwarded, expected] of [
    ['triage.example.com', 401],
    ['evil.test', 421],
    ['evil.test, triage.example.com', 421],
    ['a b', 400],
  ] as const)
    t.is(await status('127.0.0.1:4001', '/api/v1/repos', `X-Forwarded-Host: ${forwarded}`), expected);
  t.is(await status('triage.example.com'), 401);
  t.is(await status('evil.test'), 421);
  const without = async (header: string) =>
    Number((await raw(url, `GET /api/v1/repos HTTP/1.0\r\n${header}\r\n\r\n`)).slice(9, 12));
  t.is(await without('X-Forwarded-Host: evil.test'), 421);
  t.is(await without('X-Forwarded-Host: a b'), 400);
  t.is(await without('X-Forwarded-Host: localhost'), 401);
  t.is(await without('Accept: */*'), 401);
});

test('on other addresses, and in a program, any host is answered for, unless hosts are listed', async (t) => {
  t.is(await (await serveFor(t, {})).status('evil.test'), 401);
  const open = await serveFor(t, { host: '0.0.0.0', allowedHosts: [] });
  t.is(await open.status('evil.test'), 401);
  const listed = await serveFor(t, { host: '0.0.0.0', allowedHosts: ['triage.test'] });
  t.is(await listed.status('evil.test'), 421);
  t.is(await listed.status('triage.test'), 401);
  t.is(await listed.status('localhost'), 401);
});

test('a request without exactly one well-formed host gets a 400 in JSON', async (t) => {
  const { ask } = await serveFor(t, {});
  for (const [host, header] of [
    ['localhost', 'Host: localhost'],
    ['localhost', 'hOST: evil.test'],
    ...['a b', 'evil@localhost', ''].map((wrong) => [wrong, 'X: y'] as const),
  ] as const)
    t.regex(await ask(host, '/healthz', header), /^HTTP\/1\.1 400 [\s\S]*\{"error":"Bad Request"\}$/);
});
