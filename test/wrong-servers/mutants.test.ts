import test from 'ava';
import { sampleOf } from '../../bench/mutation/sample-of.js';
import { judgeServer } from '../../bench/verify-mutants/judge-server.js';
import { allMutants, readSmallServer } from '../../bench/verify-mutants/mutants.js';
import { describeMutant, type Result, runMutant } from '../../bench/verify-mutants/run-mutants.js';
import { sandboxedServer } from '../../bench/verify-mutants/sandboxed-server.js';
import { scoreOf, staleEntries } from '../../bench/verify-mutants/score.js';

const mutants = await allMutants();

test('the small server breaks no statement, and every one is exercised', async (t) => {
  const send = sandboxedServer(await readSmallServer());
  t.not(send, null);
  if (send !== null) t.deepEqual(await judgeServer(send), { _tag: 'Passed', notExercised: [] });
});

test('verify notices a sample of its mutants, apart from those that are right', async (t) => {
  const results: Result[] = [];
  for (const mutant of sampleOf(mutants, 24, 1)) results.push(await runMutant(mutant));
  const { caught, survived } = scoreOf(results);
  t.true(caught.length >= 12, String(caught.length));
  t.deepEqual(
    survived.map(({ mutant }) => describeMutant(mutant)),
    [],
  );
});

test('there are some hundred mutants, and each of those that are listed as right exists', (t) => {
  t.true(mutants.length >= 300, String(mutants.length));
  const passing = mutants.map(
    (mutant): Result => ({
      mutant,
      judgement: { _tag: 'Passed', notExercised: [] },
    }),
  );
  t.deepEqual(staleEntries(passing), []);
});

test('a mutant that passes and is not listed as right has survived', (t) => {
  const mutant = mutants.find(({ within }) => within === 'getFinding');
  t.not(mutant, undefined);
  if (mutant === undefined) return;
  const passed: Result = { mutant, judgement: { _tag: 'Passed', notExercised: [] } };
  t.deepEqual(scoreOf([passed]).survived, [passed]);
  const caught: Result = { mutant, judgement: { _tag: 'Caught', by: 'finding.fields' } };
  t.deepEqual(scoreOf([caught]).survived, []);
});

test('a server that never answers ends the run', async (t) => {
  const send = sandboxedServer('export const smallServer = () => () => { for (;;); };', 50);
  t.not(send, null);
  if (send !== null) t.not((await judgeServer(send))._tag, 'Passed');
});

test('a server that throws when it starts is none', (t) => {
  t.is(sandboxedServer('export const smallServer = null;'), null);
});
