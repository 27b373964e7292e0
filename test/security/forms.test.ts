import test from 'ava';
import { serveWeb } from '../http/web/_browserless.js';

const signedIn = { headers: { Cookie: 'session=acme-cookie' } };

test('password fields hide what is typed and are named for password managers', async (t) => {
  const { ask } = await serveWeb(t);
  for (const [path, use] of [
    ['/login', 'current-password'],
    ['/signup', 'new-password'],
  ] as const) {
    const { text } = await ask(path);
    const fields = Array.from(text.matchAll(/<input [^>]*name="[^"]*password[^>]*>/gi), ([field]) => field);
    t.is(fields.length, 1, path);
    for (const field of fields) {
      t.regex(field, / type="password"/, path);
      t.true(field.includes(` autocomplete="${use}"`), path);
      t.notRegex(field, / value=| maxlength=/, path);
    }
  }
});

test('every page of a signed-in user offers to log out', async (t) => {
  const { ask } = await serveWeb(t);
  for (const path of ['/', '/login', '/signup', '/docs', '/settings/api-tokens']) {
    t.regex((await ask(path, signedIn)).text, /<form method="post" action="\/logout">/, path);
    t.notRegex((await ask(path)).text, /action="\/logout"/, path);
  }
});

test('no directory is listed, and no file of the program is served', async (t) => {
  const { ask } = await serveWeb(t);
  for (const path of [
    '/assets',
    '/assets/',
    '/docs/',
    '/fixtures/',
    '/.git/config',
    '/package.json',
    '/build/',
  ]) {
    t.is((await ask(path, { redirect: 'manual' })).status, 404, path);
  }
});
