import test from 'ava';
import { allChecks } from '../../src/verify/checks/all-checks.js';
import { mistakes } from '../../src/verify/mistakes.js';
import { serve } from '../_server.js';
import { idsOf, judge, sendTo, world } from '../verify/_judge.js';
import { mutated, remembering, several, type WrongServer } from '../verify/_mutation.js';
import { wrongServers } from '../verify/_wrong-servers.js';

/** No machine is so slow, in milliseconds: it judges hundreds of servers one after the other. */
const hangs = 1_800_000;

test('the report on each wrong server begins with its mistake, and each must check fails on one of them', async (t) => {
  t.timeout(hangs);
  const { url } = await serve(t, world);
  const real = remembering(sendTo(url));
  const missed: string[] = [];
  const failed = new Set<string>();
  for (const [mistake, title, mutation] of wrongServers) {
    const report = await judge(mutated(real, mutation));
    for (const id of idsOf(report, 'failed')) failed.add(id);
    const ids = report.mistakes.map(({ id }) => id);
    if (ids[0] !== mistake) missed.push(`${mistake}: ${title}: named ${ids.join(', ')}`);
  }
  t.deepEqual(missed, []);
  t.deepEqual(
    allChecks.flatMap(({ id, level }) => (level === 'must' && !failed.has(id) ? [id] : [])),
    [],
    'checks that fail on no wrong server',
  );
});

/** Mistakes are listed by their gravity. */
const gravities = [...new Set(mistakes.map(({ gravity }) => gravity))];
const ranks = new Map(mistakes.map(({ id, gravity }) => [id, gravities.indexOf(gravity)]));
const rankOf = ([mistake]: WrongServer): number => ranks.get(mistake) ?? gravities.length;

/** Pairs of wrong servers from all over the table, of different gravity, the graver one first. */
const pairs = Array.from({ length: 60 }, (_, index) =>
  [wrongServers[index * 11], wrongServers[(index * 29 + 300) % wrongServers.length]]
    .filter((each) => each !== undefined)
    .sort((one, other) => rankOf(one) - rankOf(other)),
).filter(([one, other]) => one && other && rankOf(one) !== rankOf(other));

test('of two mistakes, the graver one is named first in nine of ten pairs', async (t) => {
  t.timeout(hangs);
  const { url } = await serve(t, world);
  const real = remembering(sendTo(url));
  const missed: string[] = [];
  for (const both of pairs) {
    const mutation = several(...both.map(([, , each]) => each));
    const { mistakes: found } = await judge(mutated(real, mutation));
    if (found[0]?.id !== both[0]?.[0])
      missed.push(`${both.map(([id, title]) => `${id}: ${title}`).join(' + ')}: ${found[0]?.id}`);
  }
  t.log(`${pairs.length - missed.length} of ${pairs.length}`, ...missed);
  t.true(pairs.length >= 20, String(pairs.length));
  t.true(missed.length <= pairs.length / 10, missed.join('\n'));
});
