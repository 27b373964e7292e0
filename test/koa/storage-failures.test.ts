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
  const facts = { kind: 'reads', error: 'StorageUnavailable', call: 'findings' };
  t.is(logged.length, 1);
  t.like(logged[0], { level: 'warn', facts: { ...facts, cause: 'Error: connect ECONNREFUSED' } });
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

const noSeverity = 'severity: expected one of critical, high, medium, low, got "moderate"';
const noTimestamp = 'updatedAt: expected timestamp (YYYY-MM-DDTHH:mm:ss.sssZ), got a Date';

/** What storages can answer wrongly, a read that shows it, and what the log names. */
const wrong: readonly (readonly [storage: Storage, path: string, facts: object])[] = [
  [
    broken({ severity: 'moderate' }),
    'findings',
    { operation: 'listFindings', row: 'fix draft d1', problems: [`/items/1/${noSeverity}`] },
  ],
  [
    broken({ updatedAt: new Date(0) }),
    'findings/d1',
    { operation: 'getFinding', row: 'fix draft d1', problems: [`/${noTimestamp}`] },
  ],
  [
    {
      ...good,
      repos: async (by) =>
        changed(good.repos(by), (rows) => rows.map((row) => ({ ...row, openPrCount: 0.5 }))),
    },
    'repos',
    {
      operation: 'listConnectedRepos',
      row: 'repo web',
      problems: ['/0/openPrCount: expected integer from 0, got 0.5'],
    },
  ],
  [
    {
      ...good,
      prs: async (by, query) =>
        changed(good.prs(by, query), ({ rows, total }) => ({
          rows: rows.map((row) => ({
            ...row,
            pullRequest: Object.assign({ ...row.pullRequest }, { branch: 7 }),
          })),
          total,
        })),
    },
    'prs',
    { operation: 'listPrs', row: 'pull request p3', problems: ['/items/0/branch: expected string, got 7'] },
  ],
  [
    {
      ...good,
      findings: async (by) => changed(good.findings(by, firstPage), () => ({ rows: [], total: 1.5 })),
    },
    'findings',
    {
      operation: 'listFindings',
      row: 'the total of the list',
      problems: ['/totalItems: expected integer from 0, got 1.5'],
    },
  ],
  [
    {
      ...good,
      prs: async () => {
        const problems = [mismatch(['id'], 'text', '7')];
        return E.left({ _tag: 'RecordBroken', where: 'table prs, row 7', problems });
      },
    },
    'prs',
    { operation: 'listPrs', where: 'table prs, row 7', problems: ['/id: expected text, got 7'] },
  ],
];

test('what a storage returns in breach of the contract gets a 500, and the log names the row and the field', async (t) => {
  for (const [storage, path, facts] of wrong) {
    const { ask, logged } = await serve(t, [], { storage });
    const answer = await ask(`/api/v1/${path}`, session);
    t.deepEqual([answer.status, answer.body], [500, { error: 'Internal server error' }], path);
    t.deepEqual(
      logged.map((entry) => [entry.level, entry.facts]),
      [['error', facts]],
    );
  }
});

test('a field that the contract does not have is removed from the response', async (t) => {
  const { ask } = await serve(t, [], { storage: broken({ passwordHash: 'x' }) });
  t.notRegex((await ask('/api/v1/findings', session)).text, /passwordHash/);
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
