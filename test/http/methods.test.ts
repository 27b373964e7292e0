import test from 'ava';
import { cookie, serve } from '../_server.js';
import { acme } from './_world.js';

const session = cookie('acme-cookie');

test('HEAD gets the status and headers of GET without the body', async (t) => {
  const { ask } = await serve(t, [acme]);
  const get = await ask('/api/v1/prs', session);
  const head = await ask('/api/v1/prs', { ...session, method: 'HEAD' });
  t.is(head.status, 200);
  t.is(head.text, '');
  for (const name of ['content-length', 'content-type', 'etag', 'vary']) {
    t.is(head.headers.get(name), get.headers.get(name), name);
  }
  t.is((await ask('/api/v1/prs', { method: 'HEAD' })).status, 401);
});

test('OPTIONS and a 405 response list the allowed methods', async (t) => {
  const { ask } = await serve(t, [acme]);
  const options = await ask('/api/v1/findings/d1', { method: 'OPTIONS' });
  t.deepEqual([options.status, options.text, options.headers.get('allow')], [204, '', 'GET, HEAD, OPTIONS']);
  t.is((await ask('/api/v1/repos', { method: 'DELETE' })).headers.get('allow'), 'GET, HEAD, OPTIONS');
  t.is((await ask('/api/v1/nope', { method: 'OPTIONS' })).status, 404);
});
