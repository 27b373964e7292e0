import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { raw } from '../_raw.js';
import { serve } from '../_server.js';
import { aStorage } from '../_storage.js';
import { acme } from './_world.js';

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
/** Pull requests throw, and the repositories cannot be reached. */
const storage = {
  ...aStorage([acme]),
  prs: () => {
    throw new Error('thrown');
  },
  repos: async () => E.left({ _tag: 'StorageUnavailable' as const, cause: 'down' }),
};
const header = (id: string) => ({ headers: { 'X-Request-Id': id } });

test('a response repeats the X-Request-Id of its request if that is a short word, else it gets a new one', async (t) => {
  const { ask } = await serve(t, []);
  for (const id of ['a', '0af7651916cd43dd-8448.eb_211', 'x'.repeat(128)]) {
    t.is((await ask('/healthz', header(id))).headers.get('x-request-id'), id);
  }
  for (const id of ['', 'a b', 'a,b', '<script>', 'é', 'x'.repeat(129), 'a%0d%0ab']) {
    t.regex((await ask('/healthz', header(id))).headers.get('x-request-id') ?? '', uuid, id);
  }
  const [first, second] = [await ask('/healthz'), await ask('/healthz')];
  t.not(first.headers.get('x-request-id'), second.headers.get('x-request-id'));
});

test('answers that Node begins have a request id as well: to other expectations, and to what is no request', async (t) => {
  const { url } = await serve(t, []);
  const request = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nExpect: more\r\nConnection: close\r\n';
  for (const [bytes, expected] of [
    [`${request}X-Request-Id: mine-1\r\n\r\n`, /^HTTP\/1\.1 417 [\s\S]*X-Request-Id: mine-1\r\n/],
    [`${request}X-Request-Id: <b>\r\n\r\n`, /\r\nX-Request-Id: [\da-f-]{36}\r\n/],
    ['nonsense\r\n\r\n', /\r\nX-Request-Id: [\da-f-]{36}\r\n/],
  ] as const)
    t.regex(await raw(url, bytes), expected);
});

test('every line about a request has its id and its trace', async (t) => {
  const lines: (readonly [event: string, details: unknown])[] = [];
  const { ask, accessed, untilAccessed } = await serve(t, [], {
    storage,
    log: (_, event, { requestId, traceId, parentId } = {}) =>
      void lines.push([event, { requestId, traceId, parentId }]),
  });
  const trace = { traceId: '0af7651916cd43dd8448eb211c80319c', parentId: 'b7ad6b7169203331' };
  const headers = {
    Cookie: 'session=acme-cookie',
    'X-Request-Id': 'mine-1',
    traceparent: `00-${trace.traceId}-${trace.parentId}-01`,
  };
  await ask('/api/v1/prs', { headers });
  await ask('/api/v1/repos', { headers });
  await ask('/api/v1/findings?unknown=1', { headers });
  await ask('/login', { method: 'POST', headers: { ...headers, Origin: 'https://elsewhere.test' } });
  await untilAccessed(4);
  const events = lines.filter(([event]) => !event.startsWith('storage.'));
  t.deepEqual(
    events.map(([event]) => event),
    [
      'a request failed unexpectedly',
      'the storage cannot be reached',
      'ignored unknown query parameters: "unknown"',
      'crosssite.refused',
    ],
  );
  for (const [, details] of events) t.deepEqual(details, { requestId: 'mine-1', ...trace });
  for (const entry of accessed) t.deepEqual([entry.requestId, entry.trace], ['mine-1', trace]);
});
