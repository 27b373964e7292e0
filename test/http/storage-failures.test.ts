import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type { Storage } from '../../src/storage/port.js';
import { cookie, serve } from '../_server.js';
import { aStorage } from '../_storage.js';
import { acme } from './_world.js';

const session = cookie('acme-cookie');

const good: Storage = aStorage([acme]);

const unavailable = async () =>
  E.left({ _tag: 'StorageUnavailable' as const, cause: new Error('connect ECONNREFUSED') });

test('an unreachable storage gets a 503 with Retry-After, and the cause appears only in the log', async (t) => {
  const { ask, logged } = await serve(t, [], {
    storage: { ...good, ready: unavailable, findings: unavailable, caller: unavailable },
  });
  const reason = 'the storage cannot be reached, or does not answer in time';
  for (const [path, body] of [
    ['/api/v1/findings', { error: 'Service unavailable' }],
    ['/readyz', { error: 'Service unavailable', reason }],
  ] as const) {
    const answer = await ask(path, session);
    t.deepEqual([answer.status, answer.body], [503, body]);
    t.is(answer.headers.get('retry-after'), '1');
  }
  t.deepEqual(
    logged.map(({ level, facts }) => [level, facts]),
    [['warn', { kind: 'unavailable', call: 'findings', cause: 'Error: connect ECONNREFUSED' }]],
  );
  t.is((await ask('/healthz')).status, 200);
});

test('a storage that throws or rejects gets a 500, and the stack appears only in the log', async (t) => {
  const { ask, logged } = await serve(t, [], {
    storage: {
      ...good,
      repos: () => {
        throw new Error('thrown');
      },
      prs: () => Promise.reject(new Error('rejected')),
    },
  });
  for (const path of ['/api/v1/repos', '/api/v1/prs']) {
    const answer = await ask(path, session);
    t.deepEqual([answer.status, answer.body], [500, { error: 'Internal server error' }]);
    t.is(answer.headers.get('cache-control'), 'private, no-cache');
  }
  t.deepEqual(
    logged.map(({ level, facts: { operation } }) => [level, operation]),
    [
      ['error', 'listConnectedRepos'],
      ['error', 'listPrs'],
    ],
  );
  t.regex(String(logged[0]?.facts.cause), /Error: thrown\n +at/);
});

test('a storage that throws during a login gets a 500, and the stack appears only in the log', async (t) => {
  const { ask, logged } = await serve(t, [], {
    storage: {
      ...good,
      userByEmail: () => {
        throw new Error('thrown');
      },
    },
  });
  const { status, body } = await ask('/login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'acme@test.test', password: 'secret' }),
  });
  t.deepEqual([status, body], [500, { error: 'Internal server error' }]);
  t.deepEqual(
    logged.map(({ level, facts: { operation } }) => [level, operation]),
    [['error', 'POST /login']],
  );
  t.regex(String(logged[0]?.facts.cause), /Error: thrown\n +at/);
});
