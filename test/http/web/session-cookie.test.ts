import test from 'ava';
import { json, serveWeb } from './_browserless.js';

const login = { email: 'acme@test.test', password: 'secret' };

test('X-Forwarded-Proto: https makes the session cookie Secure only with trustProxy', async (t) => {
  const cookieOf = async (trustProxy: boolean) => {
    const { ask } = await serveWeb(t, { trustProxy });
    const answer = await ask('/login', json(login, { 'X-Forwarded-Proto': 'https' }));
    return answer.headers.get('set-cookie') ?? '';
  };
  t.regex(await cookieOf(true), /; samesite=lax; secure; httponly$/);
  t.notRegex(await cookieOf(false), /secure/);
});
