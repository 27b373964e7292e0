import test from 'ava';
import { sampleOf } from '../../bench/mutation/mutations.js';
import { judgeServer, sandboxedServer } from '../../bench/verify-mutants/judge.js';
import {
  allMutants,
  describeMutant,
  type Result,
  readSmallServer,
  runMutant,
  scoreOf,
} from '../../bench/verify-mutants/mutants.js';

test('the small server breaks no statement, and every one is exercised', async (t) => {
  const send = sandboxedServer(await readSmallServer());
  t.not(send, null);
  if (send !== null) t.deepEqual(await judgeServer(send), { _tag: 'Passed', notExercised: [] });
});

test('verify notices a sample of its mutants, apart from those that are right', async (t) => {
  const results: Result[] = [];
  for (const mutant of sampleOf(await allMutants(), 24, 1)) results.push(await runMutant(mutant));
  const { caught, survived } = scoreOf(results);
  t.true(caught.length >= 12, String(caught.length));
  t.deepEqual(
    survived.map(({ mutant }) => describeMutant(mutant)),
    [],
  );
});
