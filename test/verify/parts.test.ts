import test from 'ava';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import {
  anonymous,
  describeRequest,
  operationRequest,
  toHttpRequest,
} from '../../src/client/outgoing-request.js';
import { operations } from '../../src/contract/operations.js';
import { knownPage, knownRows } from '../../src/verify/checks/paging-checks.js';
import { repeatedKeys } from '../../src/verify/checks/service-checks.js';
import { coveringSet, pagesOfRanges, sampledRanges } from '../../src/verify/lists.js';
import type { Page } from '../../src/verify/requests.js';
import { requestAuth, secretValues, testCredentials } from '../../src/verify/test-credentials.js';
import { alone } from './_judge.js';

const credentials = testCredentials({ ...alone, session: 's1', token: 't1', otherSession: 's2' });

test('reports must not contain the secrets of the run; invalid credentials are no secrets', (t) => {
  t.deepEqual(secretValues(credentials), ['s1', 't1', 's2']);
});

const long = testCredentials({ ...alone, session: 'Session-123456', token: '0123456789' });

test('altered credentials lack their end, have another character, or are in other letter case', (t) => {
  const values = [long.shortenedSession, long.lengthenedSession, long.recasedSession].map(
    (secret) => secret?.value,
  );
  t.deepEqual(values, ['Session-12', 'Session-123456x', 'sESSION-123456']);
  t.is(long.recasedToken, null, 'a token without letters');
  t.is(credentials.shortenedSession, null, 'a short session');
  t.true(secretValues(long).includes('Session-12'), 'reports must not contain them either');
});

test('a secret can be sent in another header', (t) => {
  const auth = requestAuth(long, {
    session: null,
    bearer: null,
    other: { header: 'X-Api-Key', prefix: '', secret: 'token' },
  });
  const secret = { name: 'token', value: '0123456789' };
  t.deepEqual(
    auth,
    E.right({ session: null, bearer: null, other: { header: 'X-Api-Key', prefix: '', secret } }),
  );
  if (E.isLeft(auth)) return;
  const request = operationRequest(operations.listPrs, {}, auth.right);
  t.is(describeRequest(request), 'GET /api/v1/prs (X-Api-Key: token)');
  t.is(toHttpRequest('session', request).headers['X-Api-Key'], '0123456789');
});

const goalsOf = (candidate: readonly string[]) => candidate;

test('what is chosen reaches every goal that any candidate reaches, and each choice reaches a new one', (t) => {
  const candidates = fc.array(fc.array(fc.constantFrom(...'abcdefgh'), { maxLength: 4 }), { maxLength: 12 });
  fc.assert(
    fc.property(candidates, (all) => {
      const chosen = coveringSet(all, goalsOf);
      const reached = new Set<string>();
      for (const goals of chosen) {
        t.true(goals.some((goal) => !reached.has(goal)));
        for (const goal of goals) reached.add(goal);
      }
      t.deepEqual([...reached].sort(), [...new Set(all.flat())].sort());
    }),
  );
});

test('the candidate that reaches the most is taken first', (t) => {
  t.deepEqual(coveringSet([['a'], ['b', 'c'], ['a', 'b', 'c']], goalsOf), [['a', 'b', 'c']]);
});

const rowCounts = fc.integer({ min: 1, max: 1_000_000 });
const seeds = fc.integer({ min: 0, max: 2 ** 32 - 1 });

test('a sample has the first and the last row, is in order, and its parts do not overlap', (t) => {
  fc.assert(
    fc.property(rowCounts, seeds, fc.string(), (total, number, key) => {
      const ranges = sampledRanges(total, number, key);
      t.is(ranges[0]?.start, 0);
      t.is(ranges.at(-1)?.end, total);
      t.true(ranges.length <= 10);
      for (const [index, { start, end }] of ranges.entries()) {
        t.true(start < end && end <= total);
        t.true(start >= (ranges[index - 1]?.end ?? 0));
      }
      t.deepEqual(sampledRanges(total, number, key), ranges);
    }),
  );
});

test('another seed or another list gives another sample', (t) => {
  const samples = [0, 1, 2, 3].flatMap((number) =>
    ['findings', 'prs'].map((key) => JSON.stringify(sampledRanges(1_000_000, number, key))),
  );
  t.is(new Set(samples).size, samples.length);
});

test('pages of any size have every row of the sample, and each page has one of them', (t) => {
  fc.assert(
    fc.property(rowCounts, seeds, fc.integer({ min: 1, max: 100 }), (total, number, limit) => {
      const ranges = sampledRanges(total, number, '');
      const pages = pagesOfRanges(ranges, limit);
      for (const { start, end } of ranges) {
        for (const row of [start, end - 1]) t.true(pages.includes(Math.floor(row / limit) + 1));
      }
      for (const page of pages) {
        const [first, after] = [(page - 1) * limit, page * limit];
        t.true(ranges.some(({ start, end }) => first < end && start < after));
      }
    }),
  );
});

const pageOf = (page: number, rows: readonly unknown[], totalItems: unknown): Page => {
  const input = { query: { page, limit: 2 } };
  const request = operationRequest(operations.listFindings, input, anonymous);
  const items = rows.map((value, index) => ({ value, request, path: ['items', String(index)] }));
  return { request, path: [], value: { totalItems }, items };
};

const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id }));

test('the rows of all pages are known by their position', (t) => {
  const known = knownRows([pageOf(1, [a, b], 5), pageOf(2, [c, d], 5), pageOf(3, [e], 5)]);
  t.deepEqual(known, { rows: [a, b, c, d, e], totalItems: 5, isComplete: true });
  t.deepEqual(knownPage(known, 2, 3), [d, e]);
  t.is(knownPage(known, 3, 3), null, 'a page beyond the last');
});

test('if pages are missing, or items are no objects, a page is known if all of its rows are', (t) => {
  const known = knownRows([pageOf(1, [a, b], 5), pageOf(3, [e], 5)]);
  t.false(known.isComplete);
  t.deepEqual(knownPage(known, 1, 2), [a, b]);
  t.is(knownPage(known, 1, 3), null);
  t.deepEqual(knownPage(known, 5, 1), [e]);
  t.false(knownRows([pageOf(1, [a, 'b'], 2)]).isComplete);
});

test('the first page of an empty list is empty', (t) => {
  t.deepEqual(knownPage(knownRows([pageOf(1, [], 0)]), 1, 10), []);
});

for (const [json, keys] of [
  ['{"a":1,"a":2}', ['a']],
  ['{"a":{"a":1},"b":[{"a":1},{"a":2}]}', []],
  ['[{"a":1,"b":{"c":1,"c":2},"a":3}]', ['c', 'a']],
  ['{"a":1,"\\u0061":2}', ['a']],
  ['{"a":"\\"a\\":1,{","b":"}"}', []],
  ['{"a" : 1, "a"\n: 2}', ['a']],
] as const) {
  test(`${json} repeats ${keys.join(', ') || 'no key'}`, (t) => {
    t.deepEqual(repeatedKeys(json), keys);
  });
}

test('a long string is no burden', (t) => {
  t.deepEqual(repeatedKeys(`{"a":"${'x'.repeat(20_000_000)}","a":1}`), ['a']);
});

test('what JSON.stringify writes repeats no key', (t) => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
      t.deepEqual(repeatedKeys(JSON.stringify(value, null, indent)), []);
    }),
  );
});
