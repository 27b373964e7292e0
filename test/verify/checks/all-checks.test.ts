import test from 'ava';
import type { CheckLevel } from '../../../src/verify/check.js';
import { allChecks } from '../../../src/verify/checks/all-checks.js';
import { serve } from '../../_server.js';
import { idsOf, judge, sendTo, world } from '../_judge.js';
import type { Mutant } from '../_mutant.js';
import { mutated, remembering } from '../_mutation.js';
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
 * Servers with one mistake each, made from the correct one. Each must fail the checks that are listed with
 * it, which proves that these checks notice the mistake.
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

test('the unchanged server passes every check, and all are exercised', async (t) => {
  const { url } = await serve(t, world);
  const report = await judge(sendTo(url));
  t.deepEqual(
    ['failed', 'differs', 'not exercised'].flatMap((outcome) => idsOf(report, outcome)),
    [],
  );
  t.true(report.must.passed > 100);
});

test('there are at least 120 wrong servers, with different names', (t) => {
  const names = Object.values(families).flatMap((mutants) => mutants.map(([name]) => name));
  t.true(names.length >= 120, String(names.length));
  t.is(new Set(names).size, names.length);
});

/** The ids of all checks of a level. */
const idsAt = (level: CheckLevel): readonly string[] =>
  allChecks.filter((check) => check.level === level).map(({ id }) => id);

test('each wrong server lists the must checks that it fails', (t) => {
  for (const [name, , ...fails] of Object.values(families).flat()) {
    t.true(fails.length > 0, name);
    for (const id of fails) t.true(idsAt('must').includes(id), `${name}: ${id}`);
  }
});

test('each wrong server fails the checks listed with it, and each must check is failed by one of them', async (t) => {
  const { url } = await serve(t, world);
  const real = remembering(sendTo(url));
  const failedOnce = new Set<string>();
  for (const [family, mutants] of Object.entries(families)) {
    for (const [name, mutation, ...fails] of mutants) {
      const failed = idsOf(await judge(mutated(real, mutation)), 'failed');
      for (const id of failed) failedOnce.add(id);
      const missed = fails.filter((id) => !failed.includes(id));
      t.deepEqual(missed, [], `${family}: ${name}`);
    }
  }
  t.deepEqual(
    idsAt('must').filter((id) => !failedOnce.has(id)),
    [],
    'checks that nothing fails',
  );
});

test('a server that decides differently where the contract is silent fails nothing and is reported; each info check differs for one of them', async (t) => {
  const { url } = await serve(t, world);
  const real = remembering(sendTo(url));
  const differedOnce = new Set<string>();
  for (const [name, mutation, ...differs] of decisionMutants) {
    const report = await judge(mutated(real, mutation));
    for (const id of idsOf(report, 'differs')) differedOnce.add(id);
    t.deepEqual(idsOf(report, 'failed'), [], name);
    t.deepEqual(idsOf(report, 'differs'), differs.toSorted(), name);
  }
  t.deepEqual(
    idsAt('info').filter((id) => !differedOnce.has(id)),
    [],
    'checks in which nothing differs',
  );
});
