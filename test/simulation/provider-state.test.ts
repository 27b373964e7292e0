import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { formatProblem } from '../../src/codecs/problem.js';
import { decodeProviderStates, exampleValues, resolveState } from '../../src/simulation/provider-state.js';
import { shippedProviderStates } from '../../src/simulation/shipped-provider-states.js';

const problemsOf = (value: unknown): readonly string[] => {
  const decoded = decodeProviderStates(value);
  return E.isLeft(decoded) ? decoded.left.map(formatProblem) : [];
};

test('the states that are shipped are valid, and say what they are', (t) => {
  t.deepEqual(problemsOf(Object.fromEntries(shippedProviderStates)), []);
  for (const { description } of shippedProviderStates.values()) t.truthy(description);
});

test('a state may have any of its parts, with parameters in them', (t) => {
  t.deepEqual(problemsOf({ nothing: {} }), []);
  t.deepEqual(
    problemsOf({
      everything: {
        description: 'all of it',
        params: { id: 'fix_1', code: 503 },
        reset: true,
        clock: { advance: '1h' },
        tenant: { from: 'acme', ids: 'fresh', ttl: '1h' },
        patch: [{ op: 'replace', path: '/fixDrafts/0/id', value: '{{id}}' }],
        faults: [{ code: '{{code}}', tenant: '{{userId}}' }],
        values: { id: '{{id}}', cookie: 'session={{session}}' },
      },
    }),
    [],
  );
});

test('every problem of all states is listed, with its place', (t) => {
  t.deepEqual(
    problemsOf({
      '': {},
      typo: { tenent: 'acme' },
      parts: {
        clock: {},
        tenant: { ttl: '0s' },
        patch: 'x',
        faults: [{ code: 200 }, {}, { operation: 'nope', code: 503 }],
      },
      unknown: { tenant: '{{name2}}' },
      alone: { patch: {} },
      list: [],
    }),
    [
      '/: the name of a state must not be empty',
      '/typo/tenent: unknown key; did you mean "tenant"?',
      '/parts/clock: give now, advance or running',
      '/parts/tenant/ttl: expected a duration of more than zero and at most 7d, such as 30m, 1h or PT2H, got "0s"',
      '/parts/faults/0/code: expected integer from 400 to 599, got 200',
      '/parts/patch: expected a JSON patch (a list) or a merge patch (an object), got "x"',
      '/unknown/tenant: unknown parameter {{name2}}; did you mean "name"?',
      '/alone/patch: a patch needs a tenant: say which, under tenant',
      '/list: expected provider state, got an array of 0',
    ],
  );
  for (const value of [null, [], 'x']) t.is(problemsOf(value).length, 1);
});

test('a parameter of the wrong type is a problem where it is used', (t) => {
  const state = { params: { code: 503 }, faults: [{ code: '{{code}}' }] };
  const resolved = resolveState(state, { ...exampleValues, code: 'x' });
  t.deepEqual(E.isLeft(resolved) ? resolved.left.map(formatProblem) : [], [
    '/faults/0/code: expected integer from 400 to 599, got "x"',
  ]);
});
