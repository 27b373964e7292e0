import { Socket } from 'node:net';
import test from 'ava';
import { mayControl } from '../../src/koa/admin-guard.js';

const token = 'a-token-of-some-length';

/** A request from an address, which is that of this machine if nothing is said. */
const request = (
  headers: Readonly<Record<string, string>>,
  remoteAddress: string | undefined = '127.0.0.1',
) => ({
  httpVersion: '1.1',
  headers: { host: 'localhost:4000', ...headers },
  socket: Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress }),
});

const open = mayControl({ token: null, isProxied: false, isExposed: false });

const allowed: readonly Readonly<Record<string, string>>[] = [
  {},
  { host: '127.0.0.1:4000' },
  { host: '[::1]:4000' },
  { host: 'LOCALHOST' },
  { origin: 'http://localhost:4000' },
  { origin: 'http://localhost:4000', 'sec-fetch-site': 'same-origin' },
  { 'sec-fetch-site': 'none' },
  // The proxy of a development server.
  { origin: 'http://localhost:5173', 'sec-fetch-site': 'same-origin' },
];

for (const headers of allowed) {
  test(`a program or an own page on this machine may: ${JSON.stringify(headers)}`, (t) => {
    t.true(open(request(headers)));
    t.true(open(request(headers, '::1')));
    t.true(open(request(headers, '::ffff:127.0.0.1')));
  });
}

const refused: readonly Readonly<Record<string, string>>[] = [
  // DNS rebinding.
  { host: 'stranger.test' },
  { host: 'stranger.test', origin: 'http://stranger.test', 'sec-fetch-site': 'same-origin' },
  { host: '127.0.0.1.stranger.test' },
  { host: 'localhost.stranger.test:4000' },
  { host: '' },
  // Pages of other sites, and of other ports.
  { origin: 'http://stranger.test' },
  { origin: 'null' },
  { origin: 'http://localhost:5173' },
  { origin: 'http://localhost:5173', 'sec-fetch-site': 'same-site' },
  { origin: 'http://stranger.test', 'sec-fetch-site': 'same-origin' },
  { origin: 'http://localhost.stranger.test', 'sec-fetch-site': 'same-origin' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { origin: 'http://localhost:4000', 'sec-fetch-site': 'cross-site' },
  // Proxies.
  { 'cdn-loop': 'cdn.example' },
  { via: '1.1 proxy' },
  ...[
    ...['forwarded', 'x-forwarded', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-port', 'x-real-ip'],
    ...['cf-connecting-ip', 'true-client-ip', 'x-client-ip', 'fly-client-ip', 'fastly-client-ip'],
    ...['x-azure-clientip', 'x-envoy-external-address'],
  ].map((name) => ({ [name]: '192.0.2.7' })),
];

for (const headers of refused) {
  test(`others may not: ${JSON.stringify(headers)}`, (t) => {
    t.false(open(request(headers)));
  });
}

test('a proxy that uses HTTP/1.0 may not use the controls', (t) => {
  t.false(open({ ...request({}), httpVersion: '1.0' }));
});

test('other machines may not use the controls, and behind a proxy nobody may', (t) => {
  for (const address of ['192.0.2.7', '2001:db8::1', undefined])
    t.false(open({ ...request({}), socket: request({}, address ?? '').socket }));
  t.false(mayControl({ token: null, isProxied: true, isExposed: false })(request({})));
});

test('the admin token opens the controls to everyone, and a similar text does not', (t) => {
  const guarded = mayControl({ token, isProxied: true, isExposed: false });
  const from = (authorization: string) =>
    guarded(request({ host: 'triage.example', authorization }, '192.0.2.7'));
  t.true(from(`Bearer ${token}`));
  t.true(from(`bearer ${token}`));
  const longer = `Bearer ${token}x`;
  const shorter = `Bearer ${token.slice(1)}`;
  for (const wrong of ['', 'Bearer', longer, shorter, `Basic ${token}`, token]) t.false(from(wrong), wrong);
});
