import { AssertionError } from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Storage } from '../../../src/accounts/account-storage.js';
import type { Caller } from '../../../src/api/credentials.js';
import type { ReadResult } from '../../../src/api/storage-port.js';
import type { Dataset } from '../../../src/fixtures/dataset.js';
import { storageConformance } from '../../../src/storage-kit/conformance/index.js';
import { aStorage, changed } from '../../_storage.js';

/** A storage that is right except for what it replaces. */
type Wrong = (right: Storage, datasets: readonly Dataset[]) => Partial<Storage>;

/** Why a case fails; null if it passes. */
const failureOf = async (wrong: Wrong, name: string, timeLimit = 60_000): Promise<string | null> => {
  const open = new Set<Storage>();
  const cases = storageConformance(
    async (datasets) => {
      const right = aStorage(datasets);
      open.add(right);
      return {
        storage: { ...right, ...wrong(right, datasets) },
        close: async () => void open.delete(right),
      };
    },
    { seed: 7, timeLimit },
  );
  const found = cases.find((each) => each.name.startsWith(name));
  if (found === undefined) throw new Error(`no case is named ${name}`);
  const failure: unknown = await found.run().then(
    () => null,
    (cause) => cause,
  );
  if (open.size > 0) throw new Error(`${name}: ${open.size} storages are still open`);
  if (failure === null) return null;
  if (failure instanceof AssertionError) return failure.message;
  throw failure;
};

const everyRow = { offset: 0, limit: Number.MAX_SAFE_INTEGER };

/** Findings in another order among those that were discovered at the same moment. */
const orderedBy =
  (compare: (l: string, r: string) => number): Wrong =>
  (right) => ({
    findings: async (credentials, { offset, limit, repoId }) =>
      changed(right.findings(credentials, { ...everyRow, repoId }), ({ rows, total }) => ({
        rows: [...rows]
          .sort((l, r) => compareText(r.discoveredAt, l.discoveredAt) || compare(l.id, r.id))
          .slice(offset, offset + limit),
        total,
      })),
  });

/** What a read finds, with versions of its own. */
const versioned = async <Rows>(
  read: ReadResult<Rows>,
  known: string | undefined,
  versionOf: (caller: Caller, rows: Rows) => string,
): ReadResult<Rows> => {
  const found = await read;
  if (E.isLeft(found) || 'unchanged' in found.right) return found;
  const { caller, rows } = found.right;
  const version = versionOf(caller, rows);
  return E.right(version === known ? { caller, unchanged: true } : { caller, version, rows });
};

const compareText = (l: string, r: string): number => (l < r ? -1 : l > r ? 1 : 0);

const ofAcme = 'every list, page, filter and finding of the tenant acme';
const ofMany = 'every list, page, filter and finding of the tenant many';

/** What is wrong, the case that fails, what its report has to say, and the time limit if it is waited for. */
const table: readonly (readonly [
  what: string,
  wrong: Wrong,
  name: string,
  report: readonly string[],
  timeLimit?: number,
])[] = [
  [
    'findings that tie come in the wrong order',
    orderedBy((l, r) => compareText(r, l)),
    ofAcme,
    ['GET /api/v1/findings?page=1 as acme-cookie\n', '\nids got      ["d3","d2","d1","d4","a/b c%d"]'],
  ],
  [
    'ids are ordered by UTF-16 unit',
    orderedBy(compareText),
    'every list, page, filter and finding of the tenant edges',
    ['"\\u{10ffff}","\\u{ffff}"'],
  ],
  [
    'the total is the number of rows of the page',
    (right) => ({
      prs: async (credentials, query) =>
        changed(right.prs(credentials, query), ({ rows }) => ({ rows, total: rows.length })),
    }),
    ofAcme,
    ['+   totalItems: 1,\n'],
  ],
  [
    'late pages start one row too late',
    (right) => ({
      findings: (credentials, query) =>
        right.findings(credentials, { ...query, offset: query.offset + (query.offset > 100 ? 1 : 0) }),
    }),
    ofMany,
    ['page=31&limit=7'],
  ],
  [
    'findings of other tenants are found',
    (right, datasets) => ({
      finding: (credentials, id) =>
        changed(right.finding(credentials, id), (found) => {
          const draft = datasets.flatMap(({ fixDrafts }) => fixDrafts).find((each) => each.id === id);
          return found ?? (draft === undefined ? null : { draft, prCount: 0 });
        }),
    }),
    'every read returns the records of the caller alone',
    ["id: 'bobs'"],
  ],
  [
    'one version stands for whatever is there',
    (right) => ({
      findings: (by, query, known) => versioned(right.findings(by, query), known, () => 'v1'),
    }),
    'a version is that of one user',
    ['findings: `unchanged`'],
  ],
  [
    'a version comes back for other rows',
    (right) => ({
      repos: (by, known) =>
        versioned(right.repos(by), known, (caller, rows) => `${caller.userId} ${rows.length}`),
    }),
    'a version does not come back',
    ['repos: `unchanged`'],
  ],
  [
    'a version is believed whatever has become of the credentials',
    (right) => ({
      prs: async (by, query, known) =>
        known === undefined || known === ''
          ? right.prs(by, query)
          : E.right({ caller: { userId: 'ann' }, unchanged: true }),
    }),
    'whatever version is known',
    ['Unauthorized'],
  ],
  [
    'a version is another one for the same rows, which are not those of the first',
    (right) => ({
      finding: async (by, id, known) => {
        const found = await right.finding(by, id);
        if (known === undefined || E.isLeft(found) || 'unchanged' in found.right) return found;
        return E.right({ ...found.right, rows: null });
      },
    }),
    'a version stands for the same rows',
    ['finding'],
  ],
  [
    'rows are unchanged for somebody who knows no version',
    () => ({ repos: async () => E.right({ caller: { userId: 'ann' }, unchanged: true }) }),
    'a version stands for the same rows',
    ['knows no version'],
  ],
  [
    'every session seems to end when the request is made',
    (right) => ({
      caller: async (credentials) =>
        pipe(
          await right.caller(credentials),
          E.map((caller) => ({ ...caller, sessionExpiresAt: credentials.at })),
        ),
    }),
    'a caller by session is told when the session ends',
    ["sessionExpiresAt: '2026-11-20T12:00:00.001Z'"],
  ],
  [
    'revocations are forgotten',
    () => ({ revokeApiToken: async () => E.right(true) }),
    'only the owner revokes a token',
    ['true'],
  ],
  [
    'uses of tokens are not recorded',
    (right) => ({
      apiTokens: async (caller) =>
        pipe(
          await right.apiTokens(caller),
          E.map((tokens) => tokens.map((token) => ({ ...token, lastUsedAt: null }))),
        ),
    }),
    'the use of a token is recorded',
    ['2026-11-20T12:00:00.000Z'],
    100,
  ],
  [
    'more of a token is shown than half of it',
    (right, datasets) => ({
      apiTokens: async (caller) =>
        pipe(
          await right.apiTokens(caller),
          E.map((tokens) =>
            tokens.map((token) => ({
              ...token,
              prefix:
                datasets
                  .flatMap(({ apiTokens }) => apiTokens)
                  .find(({ id }) => id === token.id)
                  ?.token.slice(0, 11) ?? '',
            })),
          ),
        ),
    }),
    'a token is shown by its first 11 characters',
    ["'valid'"],
  ],
  [
    'the storage cannot be reached',
    () => ({ repos: async () => E.left({ _tag: 'StorageUnavailable', cause: 'no route to the database' }) }),
    ofAcme,
    ['status 503 instead of 200', 'no route to the database'],
  ],
  [
    'an operation rejects',
    () => ({ prs: () => Promise.reject(new Error('no such table')) }),
    ofAcme,
    ['the operation `prs` of the storage threw or rejected: Error: no such table'],
  ],
  [
    'an operation is missing',
    () => Object.fromEntries([['ready', undefined]]),
    'the storage is ready',
    ['the operation `ready` of the storage is missing'],
  ],
  [
    'an operation resolves to a function',
    () => Object.fromEntries([['ready', () => async () => E.right(undefined)]]),
    'the storage is ready',
    ['the operation `ready` of the storage resolved to [AsyncFunction', ', not to an Either'],
  ],
];

for (const [what, wrong, name, report, timeLimit] of table) {
  test(`the suite reports that ${what}`, async (t) => {
    const failure = (await failureOf(wrong, name, timeLimit)) ?? 'passed';
    for (const part of report) t.true(failure.includes(part), failure);
  });
}

test('an example that fails is reduced to what matters, in a report that can be repeated', async (t) => {
  const wrong: Wrong = (right) => ({
    repos: async (credentials) => {
      // The time for the reduction ends in the middle of an example, whose storage has to be closed, too.
      await setTimeout(100);
      return changed(right.repos(credentials), (rows) =>
        rows.map((row) => ({ ...row, openPrCount: Math.min(row.openPrCount, 1) })),
      );
    },
  });
  const report = (await failureOf(wrong, 'any repositories')) ?? 'passed';
  t.true(report.startsWith('GET /api/v1/repos as left\n'), report);
  t.regex(report, /^\+ +openPrCount: 1,\n- +openPrCount: \d+,$/m);
  t.regex(report, /^the tenant left: \{"repos":\[\{"id":.*"prState":"open"/m);
  t.regex(report, /^the tenant right: \{"repos":\[/m);
  t.regex(report, /^found in example \d+ of 40, and reduced in \d+ steps$/m);
  t.regex(report, /^to repeat it, pass \{ seed: 7 \} to storageConformance$/m);
});

test('an operation that never settles fails each case that calls it', async (t) => {
  const cases = storageConformance(
    async (datasets) => ({
      storage: { ...aStorage(datasets), repos: () => new Promise(() => {}) },
      close: async () => {},
    }),
    { timeLimit: 100 },
  );
  for (const { run } of cases.slice(1, 3))
    await t.throwsAsync(run(), {
      message: 'the operation `repos` of the storage did not settle within 0.1 s',
    });
});
