import test from 'ava';
import { cookie, serve } from '../_server.js';
import { acme } from '../koa/_world.js';

test('the delay holds back API requests and no health checks', async (t) => {
  let milliseconds = 10 * 60_000;
  const { ask } = await serve(t, [acme], { delay: () => milliseconds });
  t.is((await ask('/healthz')).status, 200);
  milliseconds = 60;
  const started = performance.now();
  t.is((await ask('/api/v1/repos', cookie('acme-cookie'))).status, 200);
  // Timers may fire a little early, and any time later.
  t.true(performance.now() - started >= 55);
});
