import { createServer } from 'node:http';
import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { fetchSend } from '../../src/client/fetch-send.js';
import { portOf } from '../verify/_port.js';
import { hostileServer } from './_hostile.js';

const request = { method: 'GET', target: '/api/v1/repos', headers: {} } as const;

for (const baseUrl of [
  '',
  'localhost:4000',
  'ftp://127.0.0.1',
  'http://user:password@127.0.0.1',
  'http://127.0.0.1/?a=1',
  'http://127.0.0.1/#a',
]) {
  test(`the base URL ${JSON.stringify(baseUrl)} is refused, and not quoted`, (t) => {
    t.throws(() => fetchSend({ baseUrl }), {
      instanceOf: TypeError,
      message: 'baseUrl: expected an http or https URL without user, query and fragment',
    });
  });
}

for (const timeout of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31]) {
  test(`a timeout of ${timeout} milliseconds is refused`, (t) => {
    t.throws(() => fetchSend({ baseUrl: 'http://127.0.0.1', timeout }), {
      instanceOf: TypeError,
      message: `timeout: expected milliseconds from 1 to 2147483647, got ${timeout}`,
    });
  });
}

test('a path of the base URL is kept, with or without a trailing slash, and a redirect is not followed', async (t) => {
  const targets: unknown[] = [];
  const server = createServer((incoming, response) => {
    targets.push(incoming.url);
    response.writeHead(302, { Location: '/elsewhere' }).end('moved');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const url = `http://127.0.0.1:${portOf(server)}/below`;
  for (const baseUrl of [url, `${url}/`, new URL(url)]) {
    t.like(await fetchSend({ baseUrl })(request)(), { right: { status: 302, text: 'moved' } });
  }
  t.deepEqual(targets, Array(3).fill('/below/api/v1/repos'));
});

test('a server that does not respond in time is Unreachable', async (t) => {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const send = fetchSend({ baseUrl: `http://127.0.0.1:${portOf(server)}`, timeout: 20 });
  t.deepEqual(await send(request)(), E.left({ _tag: 'Unreachable', reason: 'no answer within 20 ms' }));
});

for (const maxBody of [0, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
  test(`a maximum of ${maxBody} bytes is refused`, (t) => {
    t.throws(() => fetchSend({ baseUrl: 'http://127.0.0.1', maxBody }), {
      instanceOf: TypeError,
      message: `maxBody: expected a whole number of bytes, at least 1, got ${maxBody}`,
    });
  });
}

test('a body may be as long as the maximum, counted in bytes, and no longer', async (t) => {
  const server = createServer((_, response) => response.end('ää'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const baseUrl = `http://127.0.0.1:${portOf(server)}`;
  t.like(await fetchSend({ baseUrl, maxBody: 4 })(request)(), { right: { text: 'ää' } });
  t.deepEqual(
    await fetchSend({ baseUrl, maxBody: 3 })(request)(),
    E.left({ _tag: 'ResponseTooLong', request: 'GET /api/v1/repos', maxBytes: 3 }),
  );
});

/** Long enough for a response, and what ends one that never would. */
const [patience, short] = [100_000, 300];

for (const [attack, timeout, tag] of [
  ['an endless body', patience, 'ResponseTooLong'],
  ['a body that decompresses without end', patience, 'ResponseTooLong'],
  ['a small body that decompresses to much', patience, 'ResponseTooLong'],
  ['a body that never ends', short, 'Unreachable'],
  ['headers without end', patience, 'Unreachable'],
] as const) {
  test(`${attack}: ${tag}`, async (t) => {
    const { url } = await hostileServer(t, attack);
    t.like(await fetchSend({ baseUrl: url, timeout, maxBody: 1024 * 1024 })(request)(), {
      left: { _tag: tag },
    });
  });
}

test('a byte-order mark is part of the text', async (t) => {
  const server = createServer((_, response) => {
    response.end('\uFEFF[]');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const answer = await fetchSend({ baseUrl: `http://127.0.0.1:${portOf(server)}` })(request)();
  t.is(E.isRight(answer) && answer.right.text, '\uFEFF[]');
});
