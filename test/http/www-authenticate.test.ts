import test from 'ava';
import { serve } from '../_server.js';
import { acme } from './_world.js';

test('a 401 response names the accepted kinds of credentials in WWW-Authenticate', async (t) => {
  const { ask } = await serve(t, [acme]);
  const cookieOnly = 'Cookie realm="triage-api", cookie-name="session"';
  t.is((await ask('/api/v1/repos')).headers.get('www-authenticate'), cookieOnly);
  t.is(
    (await ask('/api/v1/prs')).headers.get('www-authenticate'),
    `${cookieOnly}, Bearer realm="triage-api"`,
  );
});
