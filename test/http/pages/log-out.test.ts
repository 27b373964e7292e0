import test from 'ava';
import { json, serveWeb } from './_browserless.js';

test('logging out makes the browser forget the pages and data that it has kept, and nothing else does', async (t) => {
  const { ask } = await serveWeb(t);
  const out = await ask('/logout', json({}, { Cookie: 'session=other-cookie' }));
  t.deepEqual([out.status, out.headers.get('clear-site-data')], [204, '"cache"']);
  const login = await ask('/login', json({ email: 'acme@test.test', password: 'secret' }));
  t.deepEqual([login.status, login.headers.get('clear-site-data')], [200, null]);
});
