import test from 'ava';
import { isJsonEqual } from '../../src/common/json.js';
import { allChecks } from '../../src/verify/checks/all-checks.js';
import { textReport } from '../../src/verify/text-report.js';
import { serve } from '../_server.js';
import { idsOf, judge, sendTo, world } from '../verify/_judge.js';
import { type Mutation, mutated, remembering } from '../verify/_mutation.js';
import { rightServers } from '../verify/checks/_right-servers.js';

test('servers that choose otherwise where the contract is silent fail no check, and those info checks differ that are about their choice', async (t) => {
  const { url } = await serve(t, world);
  const real = remembering(sendTo(url));
  t.true(rightServers.length >= 30, String(rightServers.length));
  t.is(new Set(rightServers.map(([name]) => name)).size, rightServers.length);
  for (const [name, mutation, ...differs] of rightServers) {
    let isDifferent = false;
    const watched: Mutation = async (incoming, server) => {
      const answer = await mutation(incoming, server);
      isDifferent ||= !isJsonEqual(answer, await server(incoming.request));
      return answer;
    };
    const report = await judge(mutated(real, watched));
    t.deepEqual(idsOf(report, 'failed'), [], `${name}\n${textReport(report).join('\n')}`);
    t.deepEqual(idsOf(report, 'differs'), differs.toSorted(), name);
    t.true(isDifferent, name);
  }
  const noticed = new Set(rightServers.flatMap(([, , ...differs]) => differs));
  t.deepEqual(
    allChecks.flatMap(({ id, level }) => (level === 'info' && !noticed.has(id) ? [id] : [])),
    [],
    'checks in which nothing differs',
  );
});
