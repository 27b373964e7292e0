import test from 'ava';
import { anonymous, getRequest, withSession } from '../../src/client/api-request.js';
import { cachingClient } from '../../src/verify/caching-client.js';
import { fakeSender } from './_fake-sender.js';

const session = withSession({ name: 'session', value: 's1' });

test('a request is sent once, however often it is needed', async (t) => {
  const sender = fakeSender(() => '{"a":1}');
  const client = cachingClient(sender, 'sid');
  const results = await Promise.all(
    [1, 2].map(() => client.send(getRequest('/a', [['limit', '1']], session))()),
  );
  t.deepEqual(sender.targets, ['/a?limit=1']);
  t.is(results[0], results[1]);
  t.deepEqual(
    client.exchanges().map(({ body }) => body),
    [{ a: 1 }],
  );
});

test('requests that differ in path, query or credentials are sent separately', async (t) => {
  const sender = fakeSender(() => '[]');
  const client = cachingClient(sender, 'sid');
  await client.send(getRequest('/a', [], session))();
  await client.send(getRequest('/b', [], session))();
  await client.send(getRequest('/a', [['limit', '1']], session))();
  await client.send(getRequest('/a', [], anonymous))();
  t.deepEqual(sender.targets, ['/a', '/b', '/a?limit=1', '/a']);
});

test('the body of a response that is not JSON is undefined', async (t) => {
  const client = cachingClient(
    fakeSender(() => '<html>'),
    'sid',
  );
  await client.send(getRequest('/a', [], session))();
  t.deepEqual(
    client.exchanges().map(({ body, response }) => [body, response.text]),
    [[undefined, '<html>']],
  );
});
