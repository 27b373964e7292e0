import test from 'ava';
import { raw } from '../_raw.js';
import { serve } from '../_server.js';
import { acme, other } from './_world.js';

const get = (target: string) => `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;

for (const [target, status, body] of [
  ['http://any.host/healthz', 200, '{"status":"ok"}'],
  ['http://any.host', 200, '<!doctype html>'],
  ['http://', 400, '{"error":"Bad Request"}'],
  ['x://a', 400, '{"error":"Bad Request"}'],
  ['*', 404, '{"error":"Not found"}'],
  ['//api/v1/repos', 400, '{"error":"Bad Request"}'],
  ['/api/v1/repos#[', 400, '{"error":"Bad Request"}'],
  ['/api/v1/repos\\', 400, '{"error":"Bad Request"}'],
  ['/\\x/api/v1/repos', 400, '{"error":"Bad Request"}'],
  ['http://any.host\\x/api/v1/repos', 400, '{"error":"Bad Request"}'],
  ['http://a@b/healthz', 400, '{"error":"Bad Request"}'],
  ['http://a:b/healthz', 400, '{"error":"Bad Request"}'],
  ['http://a:1/x/../healthz', 404, '{"error":"Not found"}'],
  ['/api/v1/repos\u00e9', 400, '{"error":"Bad Request"}'],
  ['/api/v1/repos\u0001', 400, '{"error":"Bad Request"}'],
  ['/%2Fapi/v1/repos', 404, '{"error":"Not found"}'],
  ['/api/v1/findings/%', 401, '{"error":"Unauthorized"}'],
  [`/${'a'.repeat(15_000)}`, 404, '{"error":"Not found"}'],
  [`/${'a'.repeat(17_000)}`, 431, '{"error":"Request Header Fields Too Large"}'],
] as const) {
  test(`the request target ${JSON.stringify(target).slice(0, 60)} → ${status}, with all headers`, async (t) => {
    const { url } = await serve(t, [acme]);
    const answer = await raw(url, get(target));
    t.true(answer.startsWith(`HTTP/1.1 ${status} `), answer);
    t.true(answer.includes(`\r\n\r\n${body}`), answer);
    t.regex(
      answer,
      /^Content-Security-Policy: default-src 'none'.*\r\nX-Frame-Options|X-Content-Type-Options: nosniff/m,
    );
    t.regex(answer, /^Cache-Control: /m);
    t.is((await raw(url, get('/healthz'))).slice(9, 12), '200');
  });
}

test('the body of a GET request is ignored', async (t) => {
  const { url } = await serve(t, [acme, other]);
  const answer = await raw(
    url,
    'GET /api/v1/findings?limit=1 HTTP/1.1\r\nHost: x\r\nCookie: session=acme-cookie\r\nContent-Length: 9\r\n\r\n{"page":2',
    /\}$/,
  );
  t.regex(answer, /^HTTP\/1\.1 200 OK\r\n/);
  t.regex(answer, /"page":1/);
});

const post = (...headers: readonly string[]): string =>
  ['POST /login HTTP/1.1', 'Host: x', 'Content-Type: application/json', ...headers, '', ''].join('\r\n');

/** What a proxy could take for a part of the request before it. */
const hidden = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';

for (const [what, request] of [
  ['a length and chunks', `${post('Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n${hidden}`],
  ['two lengths', `${post('Content-Length: 2', `Content-Length: ${2 + hidden.length}`)}{}${hidden}`],
  ['an unknown transfer coding', `${post('Transfer-Encoding: xchunked')}0\r\n\r\n${hidden}`],
  ['a space before the colon', `${post('Transfer-Encoding : chunked')}0\r\n\r\n${hidden}`],
  ['a header folded over two lines', `${post('X: a', ' b', 'Content-Length: 2')}{}${hidden}`],
  ['lines that end without a carriage return', post('Content-Length: 0').replaceAll('\r', '') + hidden],
  ['a chunk size that is no number', `${post('Transfer-Encoding: chunked')}0x2\r\n{}\r\n0\r\n\r\n${hidden}`],
] as const) {
  test(`a request with ${what} is refused, and nothing behind it is read as another request`, async (t) => {
    const { url } = await serve(t, [acme]);
    const answer = await raw(url, request);
    t.regex(answer, /^HTTP\/1\.1 400 /);
    t.is(answer.match(/HTTP\/1\.1 \d/g)?.length, 1, answer);
  });
}

test('TRACE is refused, and nothing of the request is sent back', async (t) => {
  const { url } = await serve(t, [acme]);
  const request = [
    'TRACE /api/v1/repos HTTP/1.1',
    'Host: x',
    'Cookie: session=acme-cookie',
    'Connection: close',
  ];
  const answer = await raw(url, `${request.join('\r\n')}\r\n\r\n`);
  t.true(answer.startsWith('HTTP/1.1 405 '), answer);
  t.false(answer.includes('acme-cookie'));
});

test('a connection is never handed over to another protocol', async (t) => {
  const { url } = await serve(t, [acme]);
  const upgrade =
    'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n' +
    'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
  t.regex(await raw(url, upgrade), /^HTTP\/1\.1 200 /);
  t.notRegex(await raw(url, 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n'), /^HTTP\/1\.1 2/);
});
