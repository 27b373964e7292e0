import test from 'ava';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { allChecks } from '../../src/verify/checks/all-checks.js';
import { coveringSet } from '../../src/verify/server.js';
import { secretValues, testCredentials } from '../../src/verify/test-credentials.js';
import { alone, resultsOf } from './_judge.js';

const credentials = testCredentials({ ...alone, session: 's1', token: 't1', otherSession: 's2' });

test('valid credentials are secrets of a run, and invalid ones are not', (t) => {
  t.deepEqual(secretValues(credentials), ['s1', 't1', 's2']);
});

const long = testCredentials({ ...alone, session: 'Session-123456', token: '0123456789' });

test('altered credentials lack their end, have another character, or are in other letter case', (t) => {
  t.is(long.get('session without its end'), 'Session-12');
  t.is(long.get('session with another character'), 'Session-123456x');
  t.is(long.get('session in other case'), 'sESSION-123456');
  t.false(long.has('token in other case'), 'a token without letters');
  t.false(credentials.has('session without its end'), 'a short session');
  t.true(secretValues(long).includes('Session-12'), 'reports must not contain them either');
});

const goalsOf = (candidate: readonly string[]) => candidate;

test('a covering set reaches every goal of the candidates, and each of its members a new one', (t) => {
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

/** What the check of keys says of a server that answers everything with this text. */
const repeatedKeyIn = async (text: string): Promise<unknown> => {
  const checks = allChecks.filter(({ id }) => id === 'repos.array' || id === 'service.unique-keys');
  const send = async () => E.right({ status: 200, headers: { 'content-type': 'application/json' }, text });
  const { results } = await resultsOf(checks, send);
  const [verdict] = results.flatMap((each) => (each.check.id === 'service.unique-keys' ? each.verdict : []));
  return verdict?._tag === 'Violated' ? verdict.violations[0]?.got : verdict?._tag;
};

for (const [json, found] of [
  ['{"a":1,"a":2}', '"a" twice'],
  ['{"a":{"a":1},"b":[{"a":1},{"a":2}]}', 'Passed'],
  ['[{"a":1,"b":{"c":1,"c":2},"a":3}]', '"c" twice'],
  ['{"a":1,"\\u0061":2}', '"a" twice'],
  ['{"a":"\\"a\\":1,{","b":"}"}', 'Passed'],
  ['{"a" : 1, "a"\n: 2}', '"a" twice'],
  [`{"a":"${'x'.repeat(20_000_000)}","a":1}`, '"a" twice'],
] as const) {
  test(`a body that begins with ${json.slice(0, 40)} is judged by its keys: ${found}`, async (t) => {
    t.is(await repeatedKeyIn(json), found);
  });
}
