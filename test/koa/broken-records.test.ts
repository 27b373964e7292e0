import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type { Storage } from '../../src/accounts/account-storage.js';
import type { FixDraftDetails } from '../../src/api/row-records.js';
import { mismatch } from '../../src/contract/codecs/problem.js';
import { firstPage } from '../../src/storage-kit/conformance/conformance-case.js';
import { cookie, serve } from '../_server.js';
import { aStorage, changed } from '../_storage.js';
import { acme } from './_world.js';

const session = cookie('acme-cookie');

const good: Storage = aStorage([acme]);

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
  ['a missing field', { package: undefined }, 'package: expected string, got nothing'],
  ['NaN', { reachability: Number.NaN }, 'reachability: expected finite number, got NaN'],
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
