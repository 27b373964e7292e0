import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { cachingClient } from '../../src/verify/caching-client.js';
import { violation } from '../../src/verify/cases.js';
import { info, must } from '../../src/verify/check.js';
import { eachOf, split } from '../../src/verify/need.js';
import { response } from '../../src/verify/request-needs.js';
import { listRequest } from '../../src/verify/requests.js';
import { testCredentials } from '../../src/verify/test-credentials.js';
import type { Case } from '../../src/verify/verdict.js';
import { fakeSender } from './_fake-sender.js';

const exchange = response(listRequest('findings'));

const context = () => ({
  client: cachingClient(
    fakeSender(() => '{}'),
    'session',
  ),
  credentials: testCredentials({
    session: 's1',
    token: 't1',
    otherSession: undefined,
    otherToken: undefined,
    expiredSession: undefined,
    expiredToken: undefined,
  }),
  sampling: { seed: 1, allPages: false },
});

/** The exchange as a part of what was needed, or as all of it. */
const partially =
  (isPartial: boolean): (typeof exchange)['fetch'] =>
  (given) =>
    pipe(
      exchange.fetch(given),
      TE.map((values) => values.map((each) => ({ ...each, isPartial }))),
    );

test('a check of which no case is a violation passes', async (t) => {
  const check = must('a.b', '1', 'a statement', exchange, () => [null, null]);
  t.deepEqual(await check.run(context())(), E.right({ _tag: 'Passed' }));
});

test('a check without any case is not exercised, and names its prerequisite', async (t) => {
  const check = must('a.b', '1', 'a statement', exchange, () => [], 'a finding');
  t.deepEqual(
    await check.run(context())(),
    E.right({ _tag: 'NotExercised', prerequisite: 'a finding', reason: 'data' }),
  );
});

test('the judge sees each value on its own, and all violations are collected', async (t) => {
  const numbers = split(exchange, (each) => [1, 2, 3].map((number) => ({ each, number })));
  const isEven = ({ each, number }: { each: Parameters<typeof violation>[0]; number: number }): Case =>
    number % 2 === 0 ? null : violation(each, 'an even number', number);
  const verdict = await info('a.b', '1', 'a statement', numbers, isEven).run(context())();
  t.deepEqual(
    E.isRight(verdict) && verdict.right._tag === 'Violated' && verdict.right.violations.map(({ got }) => got),
    [1, 3],
  );
});

test('a violation in a value that is a part of what was needed does not count', async (t) => {
  const partial = { ...exchange, fetch: partially(true) };
  const wrong = must('a.b', '1', 'a statement', partial, (each) => violation(each, 'another', 1));
  t.deepEqual(
    await wrong.run(context())(),
    E.right({
      _tag: 'NotExercised',
      prerequisite: 'all pages of a large list (--all-pages)',
      reason: 'sample',
    }),
  );
  t.deepEqual(
    await must('a.b', '1', 'a statement', partial, () => null).run(context())(),
    E.right({ _tag: 'Passed' }),
  );
  const mixed = eachOf([partial, exchange]);
  let isFirst = true;
  const first = must('a.b', '1', 'a statement', mixed, (each) => {
    const result = isFirst ? violation(each, 'another', 1) : null;
    isFirst = false;
    return result;
  });
  t.deepEqual(await first.run(context())(), E.right({ _tag: 'Passed' }));
});
