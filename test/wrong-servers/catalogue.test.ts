import { readFile } from 'node:fs/promises';
import test from 'ava';
import { diagnose } from '../../src/verify/diagnose.js';
import { serve } from '../_server.js';
import { sendTo, world } from '../verify/_judge.js';
import { remembering } from '../verify/_mutation.js';
import { families } from '../verify/checks/_families.js';
import { mistakeOf, type Observed, observe, signaturesFile } from '../verify/checks/_signatures.js';

const observed: Observed[] = [];

for (const [family, mutants] of Object.entries(families)) {
  test.serial(
    `each wrong server of the family "${family}" fails the checks listed with it, and its mistake is named first`,
    async (t) => {
      const { url } = await serve(t, world);
      const real = remembering(sendTo(url));
      const missed: string[] = [];
      for (const mutant of mutants) {
        const [name, , ...fails] = mutant;
        const run = await observe(real, mutant);
        const failed = run.results.flatMap(({ check, verdict }) =>
          verdict._tag === 'Violated' ? [check.id] : [],
        );
        missed.push(...fails.filter((id) => !failed.includes(id)).map((id) => `${name}: ${id}`));
        const named = diagnose(run.results).map(({ mistake }) => mistake.id);
        if (named[0] !== mistakeOf(mutant)) missed.push(`${name}: named ${named.join(', ')}`);
        observed.push(run);
      }
      t.deepEqual(missed, []);
    },
  );
}

test.serial(
  'the signatures of mistakes are those of these wrong servers: run npm run derive:signatures',
  async (t) => {
    const file = new URL('../../../src/verify/signatures.ts', import.meta.url);
    t.is(await readFile(file, 'utf8'), signaturesFile(observed));
  },
);
