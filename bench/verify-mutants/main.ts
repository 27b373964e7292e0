import { parseArgs } from 'node:util';
import { groupBy } from '../../src/common/sort-and-group.js';
import { print, sampleOf, showProgress } from '../mutation/mutations.js';
import {
  allMutants,
  describeMutant,
  knownSurvivor,
  type Result,
  runMutant,
  type Score,
  scoreOf,
  staleEntries,
} from './mutants.js';

const usage = `Usage: npm run mutation:verify -- [options]

Breaks one spot of a small correct server at a time and reports which defects triage-api verify does not notice.
The exit code is 1 if there is one that known-survivors.ts does not explain.

  --sample COUNT   how many mutants to try (default: all)
  --seed NUMBER    which sample to draw (default: 1)
  --list           print the result of every mutant`;

const describeResult = ({ mutant, judgement }: Result): string => {
  const by = 'by' in judgement ? ` by ${judgement.by}` : '';
  return `${judgement._tag.toLowerCase()}${by}: ${describeMutant(mutant)}`;
};

/** How many mutants each statement caught first. */
const printStatements = (caught: readonly Result[]): void => {
  const byStatement = groupBy(caught, ({ judgement }) => ('by' in judgement ? judgement.by : ''));
  const lines = Array.from(byStatement).sort(([, left], [, right]) => right.length - left.length);
  for (const [id, results] of lines) print(`${String(results.length).padStart(5)}  ${id}`);
};

const printReasons = (right: readonly Result[]): void => {
  const byReason = groupBy(right, ({ mutant }) => knownSurvivor(mutant)?.reason ?? '');
  for (const [reason, results] of byReason) print(`${String(results.length).padStart(5)}  ${reason}`);
};

const printScore = (score: Score): void => {
  const { caught, refused, doubted, broken, right, survived } = score;
  print('caught first by');
  printStatements(caught);
  print('right servers by the contract');
  printReasons(right);
  for (const result of doubted) print(describeResult(result));
  for (const { mutant } of survived) print(`survived: ${describeMutant(mutant)}`);
  const noticed = caught.length + refused.length + doubted.length;
  const wrong = noticed + survived.length;
  print(
    `${wrong + right.length} mutants: ${caught.length} caught by a statement, ${refused.length} refused with ` +
      `exit code 2, ${doubted.length} with too little evidence, ${right.length} right, ` +
      `${survived.length} survived` +
      (broken.length === 0 ? '' : `; ${broken.length} do not start and do not count`),
  );
  if (wrong > 0)
    print(`score: ${noticed} of ${wrong} wrong servers (${Math.floor((100 * noticed) / wrong)}%)`);
};

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      sample: { type: 'string', default: 'Infinity' },
      seed: { type: 'string', default: '1' },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const [sample, seed] = [Number(values.sample), Number(values.seed)];
  if (values.help || !(sample >= 1) || !Number.isInteger(seed)) return print(usage);
  const all = await allMutants();
  const mutants = sample < all.length ? sampleOf(all, sample, seed) : all;
  const results: Result[] = [];
  for (const mutant of mutants) {
    showProgress(`${results.length} of ${mutants.length} mutants`);
    const result = await runMutant(mutant);
    results.push(result);
    showProgress('');
    if (values.list) print(describeResult(result));
  }
  const score = scoreOf(results);
  printScore(score);
  const stale = mutants.length === all.length ? staleEntries(results) : [];
  for (const key of stale) print(`listed in known-survivors.ts, but does not survive: ${key}`);
  if (score.survived.length + stale.length > 0) process.exitCode = 1;
};

await main();
