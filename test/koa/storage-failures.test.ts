import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type { Storage } from '../../src/accounts/account-storage.js';
import { cookie, serve } from '../_server.js';
import { aStorage } from '../_storage.js';
import { json } from '../pages/_browserless.js';
import { acme } from './_world.js';

const session = cookie('acme-cookie');

const good: Storage = aStorage([acme]);

const unavailable = async () =>
  E.left({ _tag: 'StorageUnavailable' as const, cause: new Error('connect ECONNREFUSED') });

test('an unreachable storage gets a 503 with Retry-After, and the cause appears only in the log', async (t) => {
  const { ask, logged } = await serve(t, [], { storage: { ...good, findings: unavailable } });
  const answer = await ask('/api/v1/findings', session);
  t.deepEqual([answer.status, answer.body], [503, { error: 'Service unavailable' }]);
  t.is(answer.headers.get('retry-after'), '1');
  t.deepEqual(
    logged.map(({ level, facts }) => [level, facts]),
    [
      [
        'warn',
        {
          kind: 'reads',
          error: 'StorageUnavailable',
          call: 'findings',
          cause: 'Error: connect ECONNREFUSED',
        },
      ],
    ],
  );
  t.is((await ask('/healthz')).status, 200);
});

test('a storage that throws or rejects gets a 500, and the stack appears only in the log', async (t) => {
  const thrown = () => {
    throw new Error('thrown');
  };
  const { ask, logged } = await serve(t, [], {
    storage: {
      ...good,
      repos: thrown,
      prs: () => Promise.reject(new Error('rejected')),
      userByEmail: thrown,
    },
  });
  const requests = [
    ['listConnectedRepos', '/api/v1/repos', session, 'private, no-cache'],
    ['listPrs', '/api/v1/prs', session, 'private, no-cache'],
    ['POST /login', '/login', json({ email: 'acme@test.test', password: 'secret' }), 'no-store'],
  ] as const;
  for (const [, path, init, caching] of requests) {
    const { status, body, headers } = await ask(path, init);
    t.deepEqual([status, body], [500, { error: 'Internal server error' }], path);
    t.is(headers.get('cache-control'), caching);
  }
  t.deepEqual(
    logged.map(({ level, facts: { operation } }) => [level, operation]),
    requests.map(([operation]) => ['error', operation]),
  );
  for (const { facts } of logged) t.regex(String(facts.cause), /Error: (?:thrown|rejected)\n +at/);
});
