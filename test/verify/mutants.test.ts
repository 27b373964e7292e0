import test from 'ava';
import { serve } from '../_server.js';
import { idsOf, judge, sendTo, world } from './_judge.js';
import type { Mutant } from './_mutant.js';
import { mutated, type Real, remembering } from './_mutation.js';
import { credentialMutants } from './mutants/_credential-mutants.js';
import { decisionMutants } from './mutants/_decision-mutants.js';
import { detailMutants } from './mutants/_detail-mutants.js';
import { findingFilterMutants } from './mutants/_finding-filter-mutants.js';
import { isolationMutants } from './mutants/_isolation-mutants.js';
import { pagingMutants } from './mutants/_paging-mutants.js';
import { prFilterMutants } from './mutants/_pr-filter-mutants.js';
import { relationMutants } from './mutants/_relation-mutants.js';
import { serviceMutants } from './mutants/_service-mutants.js';
import { shapeMutants } from './mutants/_shape-mutants.js';

/**
 * Servers with one mistake each, around the right one: what a conformance run is worth shows in what it catches. Each must
 * fail by the checks that are listed beside it.
 */
const families: Readonly<Record<string, readonly Mutant[]>> = {
  shape: shapeMutants,
  paging: pagingMutants,
  'finding filter': findingFilterMutants,
  'pull request filter': prFilterMutants,
  detail: detailMutants,
  relation: relationMutants,
  credential: credentialMutants,
  isolation: isolationMutants,
  service: serviceMutants,
};

test('the server that they are made of passes every check, none left out', async (t) => {
  const { url } = await serve(t, world);
  const report = await judge(sendTo(url));
  t.deepEqual(
    ['failed', 'differs', 'not exercised'].flatMap((outcome) => idsOf(report, outcome)),
    [],
  );
  t.true(report.must.passed > 100);
});

test('there are many, of different names', (t) => {
  const names = Object.values(families).flatMap((mutants) => mutants.map(([name]) => name));
  t.true(names.length >= 120, String(names.length));
  t.is(new Set(names).size, names.length);
});

/** The checks that ought to fail and do not, with the name of the wrong server. */
const missed = async (real: Real, [name, mutation, ...fails]: Mutant): Promise<readonly string[]> => {
  const failed = idsOf(await judge(mutated(real, mutation)), 'failed');
  return fails.filter((id) => !failed.includes(id)).map((id) => `${name}: ${id}`);
};

for (const [family, mutants] of Object.entries(families)) {
  test(`${family}: every wrong server is caught, by the checks that are meant to`, async (t) => {
    const { url } = await serve(t, world);
    const real = remembering(sendTo(url));
    for (const mutant of mutants) {
      t.true(mutant.length > 2, mutant[0]);
      t.deepEqual(await missed(real, mutant), []);
    }
  });
}

test('a server that decides otherwise where the contract is silent fails nothing; it is told', async (t) => {
  const { url } = await serve(t, world);
  const real = remembering(sendTo(url));
  for (const [name, mutation, ...differs] of decisionMutants) {
    const report = await judge(mutated(real, mutation));
    t.deepEqual([name, ...idsOf(report, 'failed')], [name]);
    t.deepEqual([name, ...idsOf(report, 'differs')], [name, ...differs.toSorted()]);
  }
});
