import type { Random } from '../core/_random.js';
import { randomBody } from './_bodies.js';
import { credentialHeaders, randomHeaders, randomHost } from './_headers.js';
import { randomTarget } from './_targets.js';

/** A request as bytes, and what its answer is judged by. */
export type HostileRequest = Readonly<{
  bytes: string;
  method: string;
  /** The path that it clearly means, or null. */
  path: string | null;
  /** Whether the server may close the connection because of it. */
  mayClose: boolean;
}>;

/** Paths that a POST may change something at. Credentials that other requests need are spared. */
const posts = [
  '/logout',
  '/settings/api-tokens',
  '/settings/api-tokens/tok_0/revoke',
  '/settings/api-tokens/%00/revoke',
] as const;

/** Paths where a password may be hashed, which takes long: few posts go there. */
const hashing = ['/login', '/signup', '/settings/account/password', '/settings/account/delete'] as const;

const otherMethods = [
  'HEAD',
  'OPTIONS',
  'PUT',
  'DELETE',
  'PATCH',
  'TRACE',
  'PROPFIND',
  'QUERY',
  'SEARCH',
] as const;

/** The session of a post: one that nothing else depends on, or none that is known. */
const postSession = (random: Random, path: string): readonly string[] =>
  path.startsWith('/settings/api-tokens')
    ? [`Cookie: session=${random.pick(['acme-session', 'demo-session', 'unknown'])}`]
    : random.pick([[], [`Cookie: session=${random.text('abcdef', 43)}`]]);

const assemble = (method: string, target: string, lines: readonly string[], body = ''): string =>
  `${[`${method} ${target} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n${body}`;

const randomPost = (random: Random): HostileRequest => {
  const target = random.chance(0.05) ? random.pick(hashing) : random.pick(posts);
  const { headers, body, mayClose } = randomBody(random);
  const host = randomHost(random);
  const others = randomHeaders(random);
  const query = random.chance(0.1) ? '?next=//evil.test' : '';
  return {
    method: 'POST',
    path: target,
    mayClose: mayClose || host.mayClose || others.mayClose,
    bytes: assemble(
      'POST',
      `${target}${query}`,
      [...host.lines, ...postSession(random, target), ...headers, ...others.lines],
      body,
    ),
  };
};

/** A request that is sound as HTTP, and hostile in everything else. */
export const randomRequest = (random: Random): HostileRequest => {
  if (random.chance(0.03)) return randomPost(random);
  const { target, path, mayClose } = randomTarget(random);
  const isOther = random.chance(0.06);
  const method = isOther ? random.pick(otherMethods) : 'GET';
  const host = randomHost(random);
  const others = randomHeaders(random);
  return {
    method,
    path: method === 'GET' ? path : null,
    mayClose: mayClose || host.mayClose || others.mayClose || (isOther && method === 'QUERY'),
    bytes: assemble(method, target, [...host.lines, ...credentialHeaders(random), ...others.lines]),
  };
};

/** Node refuses longer heads (431) and closes the connection. */
const maxHead = 16 * 1024;

/** The same, but nothing in it entitles the server to close the connection. */
export const calmRequest = (random: Random): HostileRequest => {
  for (;;) {
    const request = randomRequest(random);
    if (!request.mayClose && request.bytes.length < maxHead) return request;
  }
};

/** Bytes that are not HTTP, or only nearly. The server answers 4xx or hangs up. */
export const brokenBytes = (random: Random): string => {
  const path = randomTarget(random).target;
  const host = 'Host: 127.0.0.1';
  return random.pick([
    `GET ${path}\r\n\r\n`,
    `GET ${path} HTTP/1.1\r\n\r\n`,
    `GET ${path} HTTP/9.9\r\n${host}\r\n\r\n`,
    `GET ${path} HTTP/1.0\r\n\r\n`,
    `get ${path} HTTP/1.1\r\n${host}\r\n\r\n`,
    `FOO ${path} HTTP/1.1\r\n${host}\r\n\r\n`,
    `CONNECT evil.test:443 HTTP/1.1\r\n${host}\r\n\r\n`,
    `GET ${path} HTTP/1.1\n${host}\n\n`,
    `GET ${path} HTTP/1.1\r\n${host}\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n\u0081\u0085`,
    `GET ${path} HTTP/1.1\r\n${host}\r\nX : y\r\n\r\n`,
    `GET ${path} HTTP/1.1\r\n${host}\r\n X: folded\r\n\r\n`,
    `GET ${path} HTTP/1.1\r\n${host}\r\nX: a\u0000b\r\n\r\n`,
    `GET ${path} HTTP/1.1\r\n${host}\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n\r\n`,
    `GET ${path} HTTP/1.1\r\n${host}\r\n${host}\r\n\r\n`,
    `GET /ä\u0001 HTTP/1.1\r\n${host}\r\n\r\n`,
    `POST /login HTTP/1.1\r\n${host}\r\nContent-Length: -1\r\n\r\n`,
    `POST /login HTTP/1.1\r\n${host}\r\nContent-Length: 1e9\r\n\r\n`,
    `POST /login HTTP/1.1\r\n${host}\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef`,
    `POST /login HTTP/1.1\r\n${host}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `POST /login HTTP/1.1\r\n${host}\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
    `POST /login HTTP/1.1\r\n${host}\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
    `POST /login HTTP/1.1\r\n${host}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n`,
    `POST /login HTTP/1.1\r\n${host}\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFF\r\nabc`,
    `POST /login HTTP/1.1\r\n${host}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"email":`,
    `POST /login HTTP/1.1\r\n${host}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"ema`,
    `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`,
    '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
    '\r\n\r\n\r\n\r\n',
    '\u0000'.repeat(random.between(1, 100)),
    random.text('abcdefghijklmnopqrstuvwxyz \r\n:/', 40).repeat(random.between(1, 50)),
  ]);
};
