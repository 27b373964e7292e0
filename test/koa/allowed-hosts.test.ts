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

type Settings = Parameters<typeof serve>[3];
const [local, open]: readonly Settings[] = [{ allowedHosts: [] }, { host: '0.0.0.0', allowedHosts: [] }];
const proxied = { trustProxy: true };
const byProxy: Settings = { allowedHosts: ['triage.example.com'] };
const listed: Settings = { host: '0.0.0.0', allowedHosts: ['triage.test'] };
const forwarded = (host: string): string => `X-Forwarded-Host: ${host}`;

/** What servers answer to requests for a path, of a host, with another header. */
const table: readonly (readonly [
  what: string,
  settings: Settings,
  over: object,
  requests: readonly (readonly [status: number, host: string, path?: string | undefined, header?: string])[],
])[] = [
  [
    'health checks are answered for every host',
    local,
    {},
    [
      [200, '10.0.0.7:4000', '/healthz'],
      [200, '10.0.0.7:4000', '/readyz'],
      [421, '10.0.0.7:4000', '/healthz/'],
    ],
  ],
  [
    'the host of an absolute URL counts instead of the header',
    local,
    {},
    [
      [421, 'localhost', 'http://evil.test/api/v1/repos'],
      [401, 'evil.test', 'http://localhost/api/v1/repos'],
    ],
  ],
  [
    'with a trusted proxy, the host that it states counts',
    byProxy,
    proxied,
    [
      [401, '127.0.0.1:4001', undefined, forwarded('triage.example.com')],
      [421, '127.0.0.1:4001', undefined, forwarded('evil.test')],
      [421, '127.0.0.1:4001', undefined, forwarded('evil.test, triage.example.com')],
      [400, '127.0.0.1:4001', undefined, forwarded('a b')],
      [401, 'triage.example.com'],
      [421, 'evil.test'],
    ],
  ],
  [
    'without a trusted proxy, a forwarded host does not count',
    local,
    {},
    [[421, 'evil.test', '/', forwarded('localhost')]],
  ],
  ['on other addresses than loopback, any host is answered for', open, {}, [[401, 'evil.test']]],
  [
    'where hosts are listed, no other host is answered for',
    listed,
    {},
    [
      [421, 'evil.test'],
      [401, 'triage.test'],
      [401, 'localhost'],
    ],
  ],
  ['a server in a program answers for any host unless told otherwise', {}, {}, [[401, 'evil.test']]],
  [
    'a request without exactly one well-formed host is malformed',
    {},
    {},
    [
      [400, 'localhost', '/healthz', 'Host: localhost'],
      [400, 'localhost', '/healthz', 'hOST: evil.test'],
      [400, 'a b', '/healthz'],
      [400, 'evil@localhost', '/healthz'],
      [400, '', '/healthz'],
    ],
  ],
];

for (const [what, settings, over, requests] of table) {
  test(what, async (t) => {
    const { status } = await serveFor(t, settings, over);
    for (const [expected, host, path, header = 'X: y'] of requests)
      t.is(await status(host, path, header), expected, `${host} ${path} ${header}`);
  });
}

test('with a trusted proxy, the host that it states counts without a `Host` header, too', async (t) => {
  const { url } = await serveFor(t, { allowedHosts: [] }, { trustProxy: true });
  const ask = (header: string) => raw(url, `GET /api/v1/repos HTTP/1.0\r\n${header}\r\n\r\n`);
  t.regex(await ask('X-Forwarded-Host: evil.test'), /^HTTP\/1\.1 421 /);
  t.regex(await ask('X-Forwarded-Host: a b'), /^HTTP\/1\.1 400 /);
  t.regex(await ask('X-Forwarded-Host: localhost'), /^HTTP\/1\.1 401 /);
  t.regex(await ask('Accept: */*'), /^HTTP\/1\.1 401 /);
});
