import test from 'ava';
import { raw } from '../_raw.js';
import { serve } from '../_server.js';
import { acme, other } from './_world.js';

const get = (target: string) => `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;

for (const [target, status, body] of [
  ['http://any.host/healthz', 200, '{"status":"ok"}'],
  ['https://any.host/api/v1/nope?x', 404, '{"error":"Not found"}'],
  ['http://any.host', 200, '<!doctype html>'],
  ['http://[', 400, '{"error":"Bad Request"}'],
  ['http://[/x', 400, '{"error":"Bad Request"}'],
  ['http://', 400, '{"error":"Bad Request"}'],
  ['x://a', 400, '{"error":"Bad Request"}'],
  ['*', 404, '{"error":"Not found"}'],
  ['//api/v1/repos', 400, '{"error":"Bad Request"}'],
  ['//a#@b', 400, '{"error":"Bad Request"}'],
  ['//x@y/api/v1/repos#', 400, '{"error":"Bad Request"}'],
  ['/api/v1/repos#[', 400, '{"error":"Bad Request"}'],
  ['/api/v1/repos\\', 400, '{"error":"Bad Request"}'],
  ['/\\x/api/v1/repos', 400, '{"error":"Bad Request"}'],
  ['http://any.host//api/v1/repos', 400, '{"error":"Bad Request"}'],
  ['http://any.host\\x/api/v1/repos', 400, '{"error":"Bad Request"}'],
  ['http://a@b/healthz', 400, '{"error":"Bad Request"}'],
  ['http://[::1', 400, '{"error":"Bad Request"}'],
  ['http://a:b/healthz', 400, '{"error":"Bad Request"}'],
  ['http://a:1/x/../healthz', 404, '{"error":"Not found"}'],
  ['HTTP://any.host?x', 200, '<!doctype html>'],
  ['/api/v1/repos\u00e9', 400, '{"error":"Bad Request"}'],
  ['/api/v1/repos\u0001', 400, '{"error":"Bad Request"}'],
  ['/%2Fapi/v1/repos', 404, '{"error":"Not found"}'],
  ['/api/v1/findings/%', 401, '{"error":"Unauthorized"}'],
  ['/api/v1/findings/%00', 401, '{"error":"Unauthorized"}'],
  ['/api%5Cv1/repos', 404, '{"error":"Not found"}'],
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
