import test from 'ava';
import { isJsonEqual } from '../../src/common/json.js';
import { textReport } from '../../src/contract-tools/verify/text-report.js';
import { serve } from '../_server.js';
import { idsOf, judge, sendTo, world } from '../contract-tools/verify/_judge.js';
import { type Mutation, mutated, remembering } from '../contract-tools/verify/_mutation.js';
import { rightServers } from '../contract-tools/verify/checks/_right-servers.js';

test('servers that choose otherwise where the contract is silent fail no check, and each of them does choose otherwise', async (t) => {
  const { url } = await serve(t, world);
  const real = remembering(sendTo(url));
  t.true(rightServers.length >= 30, String(rightServers.length));
  t.is(new Set(rightServers.map(([name]) => name)).size, rightServers.length);
  for (const [name, mutation] of rightServers) {
    let isDifferent = false;
    const watched: Mutation = async (incoming, server) => {
      const answer = await mutation(incoming, server);
      isDifferent ||= !isJsonEqual(answer, await server(incoming.request));
      return answer;
    };
    const report = await judge(mutated(real, watched));
    t.deepEqual(idsOf(report, 'failed'), [], `${name}\n${textReport(report).join('\n')}`);
    t.true(isDifferent, name);
  }
});
