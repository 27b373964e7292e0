import test from 'ava';
import type { CheckLevel } from '../../../src/verify/check.js';
import { allChecks } from '../../../src/verify/checks/all-checks.js';
import { serve } from '../../_server.js';
import { idsOf, judge, sendTo, world } from '../_judge.js';
import type { Mutant } from '../_mutant.js';
import { remembering } from '../_mutation.js';
import { families, missedBy } from './_families.js';

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

/** Wrong servers of which each must check fails one. The part `wrong-servers` of the tests runs all. */
const chosen = (): readonly Mutant[] => {
  const open = new Set(idsAt('must'));
  return Object.values(families)
    .flat()
    .filter(([, , ...fails]) => {
      const isNeeded = fails.some((id) => open.has(id));
      for (const id of fails) open.delete(id);
      return isNeeded;
    });
};

test('each must check notices one of the wrong servers', async (t) => {
  const { url } = await serve(t, world);
  const missed = await missedBy(remembering(sendTo(url)), chosen());
  t.deepEqual(missed, []);
  const listed = new Set(chosen().flatMap(([, , ...ids]) => ids));
  t.deepEqual(
    idsAt('must').filter((id) => !listed.has(id)),
    [],
    'checks that no wrong server is listed with',
  );
});
