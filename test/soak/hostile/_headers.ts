import type { Random } from '../core/_random.js';

const sessions = [
  'acme-session',
  'boundary-session',
  'demo-session',
  'empty-session',
  'large-session',
] as const;
const tokens = [
  'acme-token',
  'acme-token-revoked',
  'acme-token-expired',
  'boundary-token',
  'unknown',
] as const;
const bytes = 'abcdefghijklmnopqrstuvwxyz0123456789-_=;, "\\%';

const address = (random: Random): string => Array.from({ length: 4 }, () => random.between(1, 254)).join('.');

/** Credentials: mostly of a tenant, else unknown, malformed or many. */
export const credentialHeaders = (random: Random): readonly string[] => {
  const kind = random.next();
  if (kind < 0.5) return [`Cookie: session=${random.pick(sessions)}`];
  if (kind < 0.65) return [`Authorization: Bearer ${random.pick(tokens)}`];
  if (kind < 0.75) return [];
  return [
    random.pick([
      'Cookie: session=acme-session-expired',
      `Cookie: session=${random.text(bytes, random.below(60))}`,
      `Cookie: ${random.text(bytes, random.below(300))}`,
      `Cookie: ${'a=b; '.repeat(random.between(1, 400))}session=acme-session`,
      'Cookie: session=acme-session; session=large-session',
      'Cookie: session="acme-session"',
      'Cookie: SESSION=acme-session',
      'Cookie: session=acme-session\r\nCookie: session=large-session',
      'Authorization: Bearer',
      'Authorization: bearer   acme-token  ',
      'Authorization: Basic YWNtZTphY21l',
      `Authorization: Bearer ${random.text(bytes, random.below(200))}`,
      'Authorization: Bearer acme-token\r\nAuthorization: Bearer large-token',
      'Cookie: session=large-session\r\nAuthorization: Bearer acme-token',
    ]),
  ];
};

/** Headers that leave the framing of the request alone. */
const harmless = (random: Random): string =>
  random.pick([
    `X-Forwarded-For: ${address(random)}`,
    `X-Forwarded-For: ${address(random)}, ${address(random)}`,
    `X-Forwarded-For: 2001:db8::${random.below(9999).toString(16)}`,
    `X-Forwarded-For: ${random.text(bytes, 40)}`,
    `X-Forwarded-For: ${'1.2.3.4, '.repeat(300)}`,
    'X-Forwarded-Proto: https',
    'X-Forwarded-Proto: javascript, https',
    'Forwarded: for="[::1]";proto=https;host=evil.test',
    `X-Request-Id: ${random.text(bytes, random.below(300))}`,
    `X-Request-Id: ${random.text('0123456789abcdef', 32)}`,
    `traceparent: 00-${random.text('0123456789abcdef', 32)}-${random.text('0123456789abcdef', 16)}-01`,
    `traceparent: ${random.text('0123456789abcdef-', random.below(80))}`,
    `tracestate: ${random.text(bytes, random.below(600))}`,
    'Accept: text/html',
    'Accept: application/json',
    'Accept: */*;q=0, text/html;q=nonsense',
    `Accept: ${'a/b,'.repeat(random.between(1, 500))}`,
    'Accept-Encoding: gzip',
    'Accept-Encoding: gzip;q=0, identity;q=0',
    'Accept-Language: ../../../etc/passwd',
    'If-None-Match: *',
    'If-None-Match: "x", W/"y"',
    `If-None-Match: ${random.text(bytes, random.below(400))}`,
    'If-Modified-Since: yesterday',
    'Range: bytes=0-1',
    'Origin: http://localhost:3000',
    'Origin: https://evil.test',
    'Origin: null',
    'Sec-Fetch-Site: cross-site',
    'Sec-Fetch-Site: same-origin',
    'Access-Control-Request-Method: DELETE',
    'Access-Control-Request-Headers: x',
    'X-HTTP-Method-Override: DELETE',
    'Referer: https://evil.test/',
    '__proto__: polluted',
    'constructor: x',
    `X-Long: ${'x'.repeat(random.between(1, 6000))}`,
    Array.from({ length: random.between(1, 80) }, (_, i) => `X-Many-${i}: ${i}`).join('\r\n'),
  ]);

/** Headers after which a server may refuse the request, and close the connection. */
const risky = (random: Random): string =>
  random.pick([
    'Host: 127.0.0.1',
    'Expect: 100-continue',
    'Expect: nonsense',
    'Connection: close',
    'Connection: keep-alive, X-Forwarded-For',
    'Upgrade: h2c',
    'TE: trailers, deflate',
    `X-Forwarded-Host: evil.test`,
    `X-Forwarded-Host: ${random.text(bytes, 30)}`,
    'Keep-Alive: timeout=0',
  ]);

/** Headers besides the credentials, and whether they may cost the connection. */
export const randomHeaders = (random: Random): Readonly<{ lines: readonly string[]; mayClose: boolean }> => {
  const lines = Array.from({ length: random.pick([0, 0, 1, 1, 2, 4]) }, () => harmless(random));
  const mayClose = random.chance(0.04);
  return { lines: mayClose ? [...lines, risky(random)] : lines, mayClose };
};

/** The `Host` of a request: nearly always a right one. */
export const randomHost = (random: Random): Readonly<{ lines: readonly string[]; mayClose: boolean }> => {
  if (random.chance(0.96))
    return { lines: [`Host: ${random.pick(['127.0.0.1', 'localhost'])}`], mayClose: false };
  const host = random.pick([
    '',
    'evil.test',
    '127.0.0.1@evil.test',
    '[',
    '[::1',
    'a b',
    '169.254.169.254',
    'x'.repeat(300),
  ]);
  return { lines: random.chance(0.2) ? [] : [`Host: ${host}`], mayClose: true };
};
