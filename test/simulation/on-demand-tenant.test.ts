import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { formatProblem } from '../../src/contract/codecs/problem.js';
import { decodeNewTenant } from '../../src/simulation/on-demand-tenant.js';

const hour = 3_600_000;

const problemsOf = (value: unknown): readonly string[] => {
  const decoded = decodeNewTenant(value);
  return E.isLeft(decoded) ? decoded.left.map(formatProblem) : [];
};

test('a tenant that is asked for is a copy of the default fixture for an hour, unless more is said', (t) => {
  const source = { from: undefined, fixture: undefined };
  t.deepEqual(decodeNewTenant({}), E.right({ ...source, ids: 'same', ttl: hour }));
  t.deepEqual(decodeNewTenant({}, null), E.right({ ...source, ids: 'same', ttl: null }));
  t.deepEqual(
    decodeNewTenant({ from: 'acme', ids: 'fresh', ttl: 'PT2H' }),
    E.right({ ...source, from: 'acme', ids: 'fresh', ttl: 2 * hour }),
  );
  t.deepEqual(
    decodeNewTenant({ fixture: { user: {} }, ttl: '7d' }),
    E.right({ ...source, fixture: { user: {} }, ids: 'same', ttl: 7 * 24 * hour }),
  );
});

const duration = 'expected a duration of more than zero and at most 7d, such as 30m, 1h or PT2H';

for (const ttl of ['0s', '-1h', 'P8D', '1y', '', '99999999999d', 'soon']) {
  test(`a tenant cannot last ${JSON.stringify(ttl)}`, (t) => {
    t.deepEqual(problemsOf({ ttl }), [`/ttl: ${duration}, got ${JSON.stringify(ttl)}`]);
  });
}

test('a tenant on demand is refused with all problems of its data', (t) => {
  t.deepEqual(problemsOf({ from: 5, ids: 'x', ttl: 5, oops: 1 }), [
    '/from: expected string, got 5',
    '/ids: expected one of same, fresh, got "x"',
    '/ttl: expected string, got 5',
    '/oops: unknown key; known keys are from, fixture, ids, ttl',
  ]);
  t.deepEqual(problemsOf({ from: 'acme', fixture: {}, ttl: '0s' }), [
    '/fixture: give from or fixture, not both',
    `/ttl: ${duration}, got "0s"`,
  ]);
  for (const value of [null, [], 'x', 1]) t.is(problemsOf(value).length, 1);
});
