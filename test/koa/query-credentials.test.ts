import test from 'ava';
import { cookie, serve } from '../_server.js';
import { acme } from './_world.js';

test('a session or token in the query is no credential', async (t) => {
  const { ask } = await serve(t, [acme]);
  t.is((await ask('/api/v1/prs', cookie('acme-cookie'))).status, 200);
  for (const name of ['session', 'token', 'access_token', 'authorization', 'api_key']) {
    t.is((await ask(`/api/v1/prs?${name}=acme-cookie`)).status, 401, name);
  }
});
