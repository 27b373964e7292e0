import test from 'ava';
import { ann, form, json, serveWeb, sessionOf } from './_browserless.js';

test('fields that a form does not have change nothing', async (t) => {
  const { ask } = await serveWeb(t);
  const signUp = await ask('/signup', json({ ...ann, id: 'acme', userId: 'acme', passwordHash: 'x' }));
  const { id } = Object(Object(signUp.body).user);
  t.regex(id, /^usr_/);
  const cookie = { Cookie: `session=${sessionOf(signUp)}` };
  const minted = await ask(
    '/settings/api-tokens',
    json({ name: 'ci', id: 'tok_mine', userId: 'acme', token: 'triage_chosen', createdAt: 'x' }, cookie),
  );
  t.is(minted.status, 201);
  t.notRegex(minted.text, /tok_mine|triage_chosen/);
  const mine = await ask('/api/v1/repos', { headers: cookie });
  t.deepEqual([mine.status, Object(mine.body).every((repo: unknown) => Object(repo).isDemoRow)], [200, true]);
});

test('no body changes the prototype of objects', async (t) => {
  const { ask } = await serveWeb(t);
  const { email, name, password } = ann;
  const posted = await ask(
    '/signup',
    json(`{"__proto__":{"isAdmin":true},"email":"${email}","name":"${name}","password":"${password}"}`),
  );
  t.is(posted.status, 400);
  const fields = { ...ann, '__proto__[isAdmin]': '1', 'constructor[prototype][isAdmin]': '1' };
  t.is((await ask('/signup', form(fields))).status, 303);
  t.false('isAdmin' in {});
});

test('a field that is posted twice is refused, instead of one of its values taken', async (t) => {
  const { ask } = await serveWeb(t);
  const answer = await ask('/login', {
    ...form({}, { Accept: 'application/json' }),
    body: 'email=nobody%40x.test&email=acme%40test.test&password=secret',
  });
  t.deepEqual([answer.status, answer.headers.get('set-cookie')], [400, null]);
});
