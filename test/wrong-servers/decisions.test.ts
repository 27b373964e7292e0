import test from 'ava';
import { allChecks } from '../../src/contract-tools/verify/checks/all-checks.js';
import { serve } from '../_server.js';
import { idsOf, judge, sendTo, world } from '../contract-tools/verify/_judge.js';
import { mutated, remembering } from '../contract-tools/verify/_mutation.js';
import { decisionMutants } from '../contract-tools/verify/checks/mutants/_decision-mutants.js';

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
    allChecks.flatMap(({ id, level }) => (level === 'info' && !differedOnce.has(id) ? [id] : [])),
    [],
    'checks in which nothing differs',
  );
});
