import test from 'ava';
import { cookie } from '../../_server.js';
import { ann, form, json, serveWeb, sessionOf } from './_browserless.js';

const noBody = { method: 'POST', redirect: 'manual', headers: { Accept: 'application/json' } } as const;

test('each login starts a new session and ends the one that the request came with', async (t) => {
  const { ask } = await serveWeb(t);
  const credentials = { email: 'acme@test.test', password: 'secret' };
  const first = await ask('/login', json(credentials));
  t.deepEqual(first.body, { user: { id: 'acme', email: 'acme@test.test', name: 'acme' } });
  const again = await ask(
    '/login',
    json({ ...credentials, email: 'ACME@test.test' }, { Cookie: `session=${sessionOf(first)}` }),
  );
  t.not(sessionOf(again), sessionOf(first));
  t.is((await ask('/api/v1/repos', cookie(sessionOf(first)))).status, 401);
  t.is((await ask('/api/v1/repos', cookie(sessionOf(again)))).status, 200);
  t.is((await ask('/api/v1/repos', cookie('acme-cookie'))).status, 200);
  const planted = await ask('/login', form(credentials, { Cookie: 'session=planted-by-somebody' }));
  t.deepEqual([planted.status, planted.headers.get('location')], [303, '/']);
  t.not(sessionOf(planted), 'planted-by-somebody');
});

test('an unknown address and a wrong password get the same response', async (t) => {
  const { ask } = await serveWeb(t);
  const unknown = await ask('/login', json({ email: 'nobody@test.test', password: 'secret' }));
  const wrong = await ask('/login', json({ email: 'acme@test.test', password: 'Secret' }));
  t.deepEqual(
    [unknown.status, unknown.body],
    [401, { error: 'The e-mail address or the password is wrong' }],
  );
  t.deepEqual([wrong.status, wrong.text], [unknown.status, unknown.text]);
  t.is(unknown.headers.get('www-authenticate'), 'Cookie realm="triage-api", cookie-name="session"');
  const pages = await Promise.all(
    ['nobody@test.test', 'acme@test.test'].map((email) => ask('/login', form({ email, password: 'nope' }))),
  );
  t.deepEqual(
    pages.map(({ status }) => status),
    [401, 401],
  );
  t.is(pages[0]?.text.replaceAll('nobody@', 'acme@'), pages[1]?.text);
});

test('the login page keeps the address of a refused form, and the field is empty without one', async (t) => {
  const { ask } = await serveWeb(t);
  const emailIn = ({ text }: Readonly<{ text: string }>) => / name="email".* value="(.*?)"/.exec(text)?.[1];
  t.is(emailIn(await ask('/login')), '');
  t.is(emailIn(await ask('/login', form({ password: 'secret' }))), '');
  t.is(emailIn(await ask('/login', form({ 'email[a]': 'b', password: 'secret' }))), '');
  t.is(emailIn(await ask('/login', form({ email: 'acme@test.test', password: 'x' }))), 'acme@test.test');
});

test('the page of a refused form shows who is signed in', async (t) => {
  const { ask } = await serveWeb(t);
  const refused = await ask(
    '/login',
    form({ email: 'acme@test.test', password: 'x' }, { Cookie: 'session=acme-cookie' }),
  );
  t.is(refused.status, 401);
  t.true(
    refused.text.includes('<span class="who"><span class="as">Signed in as</span> <bdi>acme</bdi></span>'),
  );
});

test('logging out ends the session on the server and expires the cookie', async (t) => {
  const { ask } = await serveWeb(t);
  const value = sessionOf(await ask('/signup', json(ann)));
  const out = await ask('/logout', { ...noBody, headers: { ...noBody.headers, Cookie: `session=${value}` } });
  t.is(out.status, 204);
  t.regex(out.headers.get('set-cookie') ?? '', /^session=; path=\/; expires=Thu, 01 Jan 1970/);
  t.is((await ask('/api/v1/repos', cookie(value))).status, 401);
  const ofFixtures = await ask('/logout', { method: 'POST', redirect: 'manual', ...cookie('acme-cookie') });
  t.deepEqual([ofFixtures.status, ofFixtures.headers.get('location')], [303, '/login']);
  t.is((await ask('/api/v1/repos', cookie('acme-cookie'))).status, 401);
  t.is((await ask('/logout', noBody)).status, 204);
});
