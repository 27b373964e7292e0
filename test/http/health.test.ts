import test from 'ava';
import { serve } from '../_server.js';
import { acme } from './_world.js';

test('/healthz and /readyz answer 200 while the storage is reachable', async (t) => {
  const { ask } = await serve(t, [acme]);
  t.deepEqual((await ask('/healthz')).body, { status: 'ok' });
  t.deepEqual((await ask('/readyz')).body, { status: 'ok' });
});
