import test from 'ava';
import { mistakes } from '../../src/verify/mistakes.js';
import { textReport } from '../../src/verify/text-report.js';
import { serve } from '../_server.js';
import { judge, sendTo, world } from '../verify/_judge.js';
import { type Mutant, mutated, remembering, several } from '../verify/_mutation.js';
import { families } from '../verify/checks/_families.js';
import { mistakeOf } from '../verify/checks/_signatures.js';

const all = Object.values(families).flat();

/** A wrong server with the mistake at a place in the table, another one of its servers with each round. */
const serverAt = (place: number, round: number): Mutant => {
  const having = all.filter((mutant) => mistakeOf(mutant) === mistakes[place % mistakes.length]?.id);
  const found = having[round % having.length];
  if (found === undefined) throw new Error(`no wrong server at ${place}`);
  return found;
};

const count = 40;
const pairs = Array.from({ length: count }, (_, index): readonly Mutant[] => [
  serverAt(index * 7, index),
  serverAt(index * 8 + 23, index),
]);

test('of 40 servers with two mistakes, at least 36 are told both on the first 25 lines', async (t) => {
  const { url } = await serve(t, world);
  const real = remembering(sendTo(url));
  const missed: string[] = [];
  for (const both of pairs) {
    t.is(new Set(both.map(mistakeOf)).size, 2, both.map(([name]) => name).join(' + '));
    const report = await judge(mutated(real, several(...both.map(([, mutation]) => mutation))));
    const screen = textReport(report).slice(0, 25).join('\n');
    const isNamed = both.every((mutant) => {
      const { sentence = '' } = mistakes.find(({ id }) => id === mistakeOf(mutant)) ?? {};
      return screen.includes(sentence.slice(0, 100));
    });
    if (!isNamed)
      missed.push(
        `${both.map(([name]) => name).join(' + ')}: ${report.mistakes.map(({ id }) => id).join(' ')}`,
      );
  }
  t.log(`${count - missed.length} of ${count}`, ...missed);
  t.true(missed.length <= 4, missed.join('\n'));
});
