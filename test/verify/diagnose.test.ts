import test from 'ava';
import { gravities, mistakes } from '../../src/verify/mistakes.js';
import { signatures } from '../../src/verify/signatures.js';
import { textReport } from '../../src/verify/text-report.js';
import { judge, worldServer } from './_judge.js';
import { type Mutant, mutated, several } from './_mutation.js';
import { families } from './checks/_families.js';
import { mistakeOf } from './checks/_signatures.js';

const { send, real } = worldServer(test);

test('each mistake has an id, a section, a sentence, a signature and a wrong server', (t) => {
  const made = new Set(Object.values(families).flat().map(mistakeOf));
  for (const { id, section, sentence } of mistakes) {
    t.regex(
      section,
      /^\d(?:\.\d)?(?: (?:rules?|note) \d(?: and \d)?)?(?:, \d(?:\.\d)?(?: (?:rule|note) \d)?)*$/,
      id,
    );
    t.regex(sentence, /^[A-Z`].*\.$/, id);
    t.regex(signatures[id]?.cores ?? '', /^[a-z~]/, id);
    t.true(made.has(id), id);
  }
  t.is(new Set(mistakes.map(({ id }) => id)).size, mistakes.length);
});

const all = Object.values(families).flat();

/** Wrong servers from all over the catalogue, of different mistakes. The part `wrong-servers` runs all. */
const some: readonly Mutant[] = Array.from({ length: 8 }, (_, index) => all[index * 71 + 5]).filter(
  (mutant) => mutant !== undefined,
);

for (const mutant of some) {
  test(`the report begins with the mistake of the wrong server "${mutant[0]}"`, async (t) => {
    const report = await judge(mutated(real, mutant[1]));
    const [mistake] = report.mistakes;
    t.is(mistake?.id, mistakeOf(mutant));
    const [head, first = ''] = textReport(report);
    t.is(head, 'To fix, the gravest first');
    t.true(first.startsWith(`  ${mistake?.sentence.slice(0, 80)}`), first);
    for (const id of mistake?.checks ?? [])
      t.is(report.checks.find((check) => check.id === id)?.outcome, 'failed', id);
  });
}

const named = (text: string): Mutant => {
  const found = all.find(([name]) => name.startsWith(text));
  if (found === undefined) throw new Error(text);
  return found;
};

const pairs = [
  ['foreign-finding', 'timestamp'],
  ['closed-null', 'refusal-body'],
  ['page-base: prs', 'findings-filter-first: findings: totals'],
] as const;

for (const [one, other] of pairs) {
  test(`a server with the mistakes ${one} and ${other} is told both, the graver one first`, async (t) => {
    const both = [named(one), named(other)];
    const { mistakes: found } = await judge(mutated(real, several(...both.map(([, mutation]) => mutation))));
    t.deepEqual(
      found.map(({ id }) => id),
      both.map(mistakeOf),
    );
    const ranks = found.map(({ gravity }) => gravities.indexOf(gravity));
    t.deepEqual(ranks, ranks.toSorted());
  });
}

test('a token of another user than the session, and sessions of the same user, are said in one sentence', async (t) => {
  const { mistakes: ofToken } = await judge(send, { token: 'acme-token' });
  t.deepEqual(
    ofToken.map(({ id }) => id),
    ['foreign-token'],
  );
  const { mistakes: ofSession } = await judge(send, {
    otherSession: 'boundary-session',
    otherToken: 'boundary-token',
  });
  t.deepEqual(
    ofSession.map(({ id }) => id),
    ['foreign-rows'],
  );
  t.regex(`${ofToken[0]?.sentence} ${ofSession[0]?.sentence}`, /--token.*--other-session/);
});
