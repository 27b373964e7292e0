import test from 'ava';
import { form, serveWeb } from './_browserless.js';

const login = { email: 'acme@test.test', password: 'secret' };

test('no query parameter or path makes a redirect lead to another site', async (t) => {
  const { ask } = await serveWeb(t);
  for (const query of ['?next=https://evil.test', '?redirect=//evil.test', '?return_to=%2F%2Fevil.test']) {
    t.is((await ask(`/login${query}`, form(login))).headers.get('location'), '/');
  }
  t.is((await ask('//evil.test/login', form(login))).status, 400);
});
