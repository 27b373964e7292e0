import test from 'ava';
import { cookie, serve } from '../_server.js';
import { acme } from './_world.js';

const session = cookie('acme-cookie');

test('a 200 response is cacheable by its client only and revalidated by its ETag', async (t) => {
  const { ask } = await serve(t, [acme]);
  const first = await ask('/api/v1/findings', session);
  const etag = first.headers.get('etag') ?? '';
  t.is(first.headers.get('cache-control'), 'private, no-cache');
  t.is(first.headers.get('vary'), 'Origin, Cookie, Authorization');
  t.regex(etag, /^"[\w-]{43}"$/);

  const again = await ask('/api/v1/findings', { headers: { ...session.headers, 'If-None-Match': etag } });
  t.is(again.status, 304);
  t.is(again.text, '');
  t.is(again.headers.get('etag'), etag);
  t.is(again.headers.get('vary'), 'Origin, Cookie, Authorization');

  const weak = await ask('/api/v1/findings', {
    headers: { ...session.headers, 'If-None-Match': `"x", W/${etag}` },
  });
  t.is(weak.status, 304);
  const another = await ask('/api/v1/findings?page=2', {
    headers: { ...session.headers, 'If-None-Match': etag },
  });
  t.is(another.status, 200);
});

test('an error response has no ETag and is not cacheable without revalidation', async (t) => {
  const { ask } = await serve(t, [acme]);
  const { headers } = await ask('/api/v1/findings');
  t.is(headers.get('etag'), null);
  t.is(headers.get('cache-control'), 'private, no-cache');
});
