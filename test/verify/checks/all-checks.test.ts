import test from 'ava';
import type { CheckLevel } from '../../../src/verify/check.js';
import { allChecks } from '../../../src/verify/checks/all-checks.js';
import { serve } from '../../_server.js';
import { failedChecks } from '../_failed-checks.js';
import { idsOf, judge, sendTo, world } from '../_judge.js';
import { mutated, remembering } from '../_mutation.js';
import { families } from './_families.js';
import { decisionMutants } from './mutants/_decision-mutants.js';

test('the unchanged server passes every check, and all are exercised', async (t) => {
  const { url } = await serve(t, world);
  const report = await judge(sendTo(url));
  t.deepEqual(
    ['failed', 'differs', 'not exercised'].flatMap((outcome) => idsOf(report, outcome)),
    [],
  );
  t.true(report.must.passed > 100);
});

test('there are at least 250 wrong servers besides those with a wrong field, with different names', (t) => {
  const names = Object.values(families).flatMap((mutants) => mutants.map(([name]) => name));
  t.true(names.length - (families.field?.length ?? 0) >= 250, String(names.length));
  t.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  );
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

test('each wrong server fails the checks listed with it, and each must check is listed with one of them', async (t) => {
  const { url } = await serve(t, world);
  const real = remembering(sendTo(url));
  for (const [family, mutants] of Object.entries(families)) {
    for (const [name, mutation, ...fails] of mutants) {
      const send = mutated(real, mutation);
      // Those checks alone take a fraction of the time of all. A few judge what others have requested.
      const alone = await failedChecks(
        allChecks.filter(({ id }) => fails.includes(id)),
        send,
      );
      const failed = fails.every((id) => alone.includes(id)) ? alone : await failedChecks(allChecks, send);
      const missed = fails.filter((id) => !failed.includes(id));
      t.deepEqual(missed, [], `${family}: ${name}`);
    }
  }
  const listed = new Set(
    Object.values(families).flatMap((mutants) => mutants.flatMap(([, , ...ids]) => ids)),
  );
  t.deepEqual(
    idsAt('must').filter((id) => !listed.has(id)),
    [],
    'checks that no wrong server is listed with',
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
