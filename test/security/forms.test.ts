import test from 'ava';
import { serveWeb } from '../pages/_browserless.js';

const signedIn = { headers: { Cookie: 'session=acme-cookie' } };

test('password fields hide what is typed and are named for password managers', async (t) => {
  const { ask } = await serveWeb(t);
  for (const [path, ...uses] of [
    ['/login', 'current-password'],
    ['/signup', 'new-password'],
    ['/settings/account', 'current-password', 'new-password', 'current-password'],
  ] as const) {
    const { text } = await ask(path, { headers: { ...signedIn.headers, Accept: 'text/html' } });
    const fields = Array.from(text.matchAll(/<input [^>]*name="[^"]*password[^>]*>/gi), ([field]) => field);
    t.deepEqual(
      fields.map((field) => / autocomplete="([^"]*)"/.exec(field)?.[1]),
      uses,
      path,
    );
    for (const field of fields) {
      t.regex(field, / type="password"/, path);
      t.notRegex(field, / value=| maxlength=/, path);
    }
  }
});

test('every page of a signed-in user offers to log out', async (t) => {
  const { ask } = await serveWeb(t);
  for (const path of ['/', '/login', '/signup', '/docs', '/settings/api-tokens', '/settings/account']) {
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
