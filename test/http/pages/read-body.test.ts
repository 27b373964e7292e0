import test from 'ava';
import { serveWeb } from './_browserless.js';

test('a body that is too long, malformed, of another type or with invalid fields is refused', async (t) => {
  const { ask } = await serveWeb(t);
  const post = async (body: string, type: string) => {
    const { status, text } = await ask('/login', { method: 'POST', headers: { 'Content-Type': type }, body });
    return [status, text.startsWith('{') ? JSON.parse(text) : 'a page'];
  };
  const long = 'x'.repeat(17_000);
  t.deepEqual(await post(JSON.stringify({ email: long }), 'application/json'), [
    413,
    { error: 'The body is longer than 16kb' },
  ]);
  t.deepEqual(await post(`email=${long}`, 'application/x-www-form-urlencoded'), [413, 'a page']);
  t.deepEqual(await post('{"email":', 'application/json'), [400, { error: 'The body cannot be read' }]);
  t.deepEqual(await post('"text"', 'application/json'), [400, { error: 'The body cannot be read' }]);
  t.deepEqual(await post('<a/>', 'text/xml'), [415, 'a page']);
  t.deepEqual(await post('[]', 'application/json'), [
    400,
    { error: 'body: expected LogInForm, got an array of 0' },
  ]);
  t.deepEqual(await post('{}', 'application/json'), [
    400,
    { error: 'email: expected an e-mail address, got nothing; password: expected a password, got nothing' },
  ]);
  t.deepEqual(await post('email=a&email=b&password=c', 'application/x-www-form-urlencoded'), [400, 'a page']);
  t.deepEqual(await post('{"email":1,"password":{"a":1}}', 'application/json'), [
    400,
    { error: 'email: expected an e-mail address, got 1; password: expected a password, got an object' },
  ]);
});
