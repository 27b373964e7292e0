import test from 'ava';
import { announced, talk } from '../_raw.js';
import { bearer, cookie, serve } from '../_server.js';
import { acme } from './_world.js';

const session = cookie('acme-cookie');

test('each request has one entry in the access log, without the values of unknown parameters', async (t) => {
  const { ask, accessed, untilAccessed } = await serve(t, [acme]);
  await ask('/api/v1/findings?limit=2&token=hunter2&repoId=a%20b', session);
  await ask('/api/v1/prs', bearer('nope'));
  await untilAccessed(2);
  t.deepEqual(accessed, [
    { method: 'GET', url: '/api/v1/findings?limit=2&token=…&repoId=a%20b', status: 200, milliseconds: 0 },
    { method: 'GET', url: '/api/v1/prs', status: 401, milliseconds: 0 },
  ]);
});

test('a client that hangs up during the delay is logged with status 499 without waiting for the delay’s end', async (t) => {
  const { url, accessed, untilAccessed } = await serve(t, [acme], { delay: () => 60_000 });
  const { shows, hangUp } = talk(url, announced('/api/v1/repos', 'acme-cookie'));
  await shows(/100 Continue/);
  hangUp();
  await untilAccessed(1);
  t.deepEqual(accessed, [{ method: 'GET', url: '/api/v1/repos', status: 499, milliseconds: 0 }]);
});
