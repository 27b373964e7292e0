import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type { Storage } from '../../src/accounts/account-storage.js';
import type { FixDraftDetails } from '../../src/api/row-records.js';
import { mismatch } from '../../src/contract/codecs/problem.js';
import { firstPage } from '../../src/storage-kit/conformance/conformance-case.js';
import { cookie, serve } from '../_server.js';
import { aStorage, changed } from '../_storage.js';
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

/** A storage whose findings break the record types in ways that only another implementation could. */
const broken = (changes: Readonly<Record<string, unknown>>): Storage => ({
  ...good,
  finding: async (credentials, id) =>
    changed<FixDraftDetails | null>(
      good.finding(credentials, id),
      (facts) => facts && { ...facts, draft: Object.assign({ ...facts.draft }, changes) },
    ),
  findings: async (credentials, query) =>
    changed(good.findings(credentials, query), ({ rows, total }) => ({
      rows: rows.map((draft, i) => (i === 1 ? Object.assign({ ...draft }, changes) : draft)),
      total,
    })),
});

for (const [name, changes, problem] of [
  [
    'an unknown severity',
    { severity: 'moderate' },
    'severity: expected one of critical, high, medium, low, got "moderate"',
  ],
  [
    'a Date for a timestamp',
    { updatedAt: new Date(0) },
    'updatedAt: expected timestamp (YYYY-MM-DDTHH:mm:ss.sssZ), got a Date',
  ],
] as const) {
  test(`a storage that returns ${name} gets a 500, and the log names the field`, async (t) => {
    const { ask, logged } = await serve(t, [], { storage: broken(changes) });
    for (const path of ['/api/v1/findings', '/api/v1/findings/d1']) {
      const answer = await ask(path, session);
      t.deepEqual([answer.status, answer.body], [500, { error: 'Internal server error' }]);
    }
    t.deepEqual(logged, [
      {
        level: 'error',
        event: 'a response would break the contract',
        facts: { operation: 'listFindings', row: 'fix draft d1', problems: [`/items/1/${problem}`] },
      },
      {
        level: 'error',
        event: 'a response would break the contract',
        facts: { operation: 'getFinding', row: 'fix draft d1', problems: [`/${problem}`] },
      },
    ]);
  });
}

test('the log names the repository and the pull request that would break the contract', async (t) => {
  const { ask, logged } = await serve(t, [], {
    storage: {
      ...good,
      repos: async (credentials) =>
        changed(good.repos(credentials), (rows) => rows.map((row) => ({ ...row, openPrCount: 0.5 }))),
      prs: async (credentials, query) =>
        changed(good.prs(credentials, query), ({ rows, total }) => ({
          rows: rows.map((row) => ({
            ...row,
            pullRequest: Object.assign({ ...row.pullRequest }, { branch: 7 }),
          })),
          total,
        })),
    },
  });
  for (const path of ['/api/v1/repos', '/api/v1/prs']) t.is((await ask(path, session)).status, 500);
  t.deepEqual(
    logged.map(({ facts }) => facts),
    [
      {
        operation: 'listConnectedRepos',
        row: 'repo web',
        problems: ['/0/openPrCount: expected integer from 0, got 0.5'],
      },
      {
        operation: 'listPrs',
        row: 'pull request p3',
        problems: ['/items/0/branch: expected string, got 7'],
      },
    ],
  );
});

test('a field that the contract does not have is removed from the response', async (t) => {
  const { ask } = await serve(t, [], { storage: broken({ passwordHash: 'x' }) });
  t.notRegex((await ask('/api/v1/findings', session)).text, /passwordHash/);
});

test('a broken total, and a record that the storage itself reports as broken, get a 500', async (t) => {
  const { ask, logged } = await serve(t, [], {
    storage: {
      ...good,
      findings: async (by) => changed(good.findings(by, firstPage), () => ({ rows: [], total: 1.5 })),
      prs: async () =>
        E.left({
          _tag: 'RecordBroken',
          where: 'table prs, row 7',
          problems: [mismatch(['id'], 'text', '7')],
        }),
    },
  });
  for (const path of ['/api/v1/findings', '/api/v1/prs']) {
    t.deepEqual((await ask(path, session)).body, { error: 'Internal server error' });
  }
  t.deepEqual(
    logged.map(({ facts }) => facts),
    [
      {
        operation: 'listFindings',
        row: 'the total of the list',
        problems: ['/totalItems: expected integer from 0, got 1.5'],
      },
      { operation: 'listPrs', where: 'table prs, row 7', problems: ['/id: expected text, got 7'] },
    ],
  );
});

const failing = () => {
  throw new Error('broken');
};

for (const [where, over] of [
  ['the access log', { elapsed: failing }],
  ['the delay', { delay: failing }],
] as const) {
  test(`an error in ${where} is answered with the plain 500 and all headers, and logged`, async (t) => {
    const { ask, logged } = await serve(t, [acme], over);
    const { status, headers, body } = await ask('/api/v1/repos?token=hunter2');
    t.is(status, 500);
    t.deepEqual(body, { error: 'Internal server error' });
    t.is(headers.get('x-content-type-options'), 'nosniff');
    t.regex(headers.get('content-security-policy') ?? '', /^default-src 'none'/);
    t.truthy(headers.get('cache-control'));
    t.is(logged.length, 1);
    const { method, url } = logged[0]?.facts ?? {};
    t.deepEqual([method, url], ['GET', '/api/v1/repos']);
  });
}
