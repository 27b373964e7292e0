import test from 'ava';
import fc from 'fast-check';
import { raw } from '../_raw.js';
import { runs } from '../_runs.js';
import { serve } from '../_server.js';
import { acme, other } from './_world.js';

const oneOf = (list: string, separator: string | RegExp = ' ') => fc.constantFrom(...list.split(separator));
/** All that may stand in a header, although much of it makes no sense there. */
const ascii = fc.string({ unit: 'grapheme-ascii', maxLength: 60 });
const word = ascii.map((text) => text.replaceAll(' ', '+'));

const value = fc.oneof(
  oneOf("1 0 -1 1e2 %201 9007199254740993 high HIGH open null % %zz %00 '%20OR%201=1-- %2e%2e%2f .. {id}"),
  oneOf('%ff%fe %F0%9F%98%80 %E2%80%AE %0d%0aX:%201 http://a //x@y/ /login acme-cookie'),
  word,
);
const query = fc.array(
  fc.tuple(oneOf('page limit repoId severity status next account __proto__ page[] PAGE %00'), value),
  { maxLength: 5 },
);
const path = fc.oneof(
  oneOf('/api/v1/repos /api/v1/findings /api/v1/prs /api/v1 /api /explore /explore/findings /healthz *'),
  oneOf('/ /login /login/demo /signup /logout /session /settings/api-tokens /settings/account /favicon.ico'),
  oneOf('/settings/account/password /settings/account/delete /docs //x@y/api /%61pi/v1 http://a/login'),
  value.map((id) => `/api/v1/findings/${id}`),
  value.map((id) => `/settings/api-tokens/${id}/revoke`),
  word.map((text) => `/${text}`),
);
const header = fc.oneof(
  oneOf(
    `Cookie: session=acme-cookie|Cookie: session="acme-cookie"; session=x|Authorization: Bearer acme-token
    |Authorization: Basic YTpi|Accept: text/html|Accept: */*;q=0, a;q=x|Accept-Encoding: br, gzip;q=0
    |If-None-Match: *|Range: bytes=0-1|Origin: null|Origin: https://evil.test|Sec-Fetch-Site: cross-site
    |Content-Type: application/json|Content-Type: application/x-www-form-urlencoded|Content-Type: ;;;
    |Content-Type: application/json; charset=utf-7|Content-Encoding: gzip|Host: [|Expect: nonsense|__proto__: x`,
    /\s*\|/,
  ),
  fc
    .tuple(oneOf('Cookie Authorization If-None-Match X-Forwarded-For traceparent X-Request-Id Prefer'), ascii)
    .map((pair) => pair.join(': ')),
);
const field = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.jsonValue({ maxDepth: 1 }));
const body = fc.oneof(
  oneOf('|{|[]|null|\ufeff{}|{"email":}|{"__proto__":{"a":1}}|a=b&a=%zz|name=%00', '|'),
  fc.nat(7000).map((depth) => '['.repeat(depth)),
  fc.record({ email: field, password: field, name: field }).map((fields) => JSON.stringify(fields)),
  fc.webQueryParameters(),
);
const method = oneOf('GET GET GET GET POST POST POST HEAD OPTIONS PUT DELETE PATCH PROPFIND');

test('each odd request gets one valid answer, never a 5xx, and leaves no error in the log', async (t) => {
  const { url, logged } = await serve(t, [acme, other]);
  const headers = fc.array(header, { maxLength: 6 });
  const request = fc.tuple(method, path, query, headers, body).map(([verb, target, pairs, lines, sent]) => {
    const search = pairs.map((pair, index) => `${index === 0 ? '?' : '&'}${pair.join('=')}`).join('');
    const own = ['Host: x', 'Connection: close', `Content-Length: ${Buffer.byteLength(sent)}`];
    return `${[`${verb} ${target}${search} HTTP/1.1`, ...own, ...lines].join('\r\n')}\r\n\r\n${sent}`;
  });
  const sound = async (bytes: string): Promise<void> => {
    const [head = '', ...rest] = (await raw(url, bytes)).split('\r\n\r\n');
    const text = rest
      .join('\r\n\r\n')
      .replace(/^[\da-f]+\r\n(.*)\r\n0\r\n/s, '$1')
      .trim();
    t.regex(head, /^HTTP\/1\.1 [234]\d\d /);
    t.false(/HTTP\/1\.1 \d/.test(text), text);
    if (/^HTTP\/1\.1 4.*content-type: application\/json/is.test(head) && text !== '')
      t.deepEqual(Object.keys(JSON.parse(text)), ['error']);
    else if (/content-type: text\/html/i.test(head) && text !== '')
      t.regex(text, /^(?:<!doctype html>.*<\/html>|Redirecting to .*)$/is);
  };
  await fc.assert(fc.asyncProperty(request, sound), runs());
  t.deepEqual(
    logged.filter(({ level }) => level === 'error'),
    [],
  );
});
