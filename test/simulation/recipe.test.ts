import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { decode, formatProblem } from '../../src/contract/codecs/problem.js';
import { Recipe } from '../../src/simulation/recipe.js';

const problemsOf = (value: unknown): readonly string[] => {
  const decoded = decode(Recipe, value);
  return E.isLeft(decoded) ? decoded.left.map(formatProblem) : [];
};

const duration = 'expected a duration of more than zero and at most 7d, such as 30m, 1h or PT2H';

test('a tenant lasts for as long as its recipe says, from more than nothing to a week', (t) => {
  t.like(decode(Recipe, { ttl: 'PT2H' }), { right: { ttl: 7_200_000 } });
  t.like(decode(Recipe, { ttl: '7d' }), { right: { ttl: 604_800_000 } });
  for (const ttl of ['0s', '-1h', 'P8D', '1y', '', '99999999999d', 'soon', 5])
    t.deepEqual(problemsOf({ ttl }), [`/ttl: ${duration}, got ${JSON.stringify(ttl)}`]);
});

test('a recipe of a tenant is refused with all problems in it', (t) => {
  t.deepEqual(
    problemsOf({ from: 5, ids: 'x', oops: 1, rules: [{ code: 99, tenant: 'x' }], clock: { now: 'x' } }),
    [
      '/from: expected string, got 5',
      '/ids: expected one of same, fresh, got "x"',
      '/rules/0/code: expected 200 or a status from 300 to 599, got 99',
      '/rules/0/tenant: unknown key; known keys are id, operation, query, requestHeaders, code, alter, body, headers, retryAfter, delay, jitter, bytesPerSecond, kind, then, off, times, after, every, probability',
      '/clock/now: expected a moment in UTC such as 2026-11-20T12:00:00Z, got "x"',
      '/oops: unknown key; known keys are from, fixture, state, limit, amounts, client, ids, patch, rules, clock, credentials, ttl',
    ],
  );
  for (const value of [null, [], 'x', 1]) t.is(problemsOf(value).length, 1);
});
