import test from 'ava';
import { allRuns } from './_all-runs.js';
import { executeRun } from './_execute.js';
import type { Amounts } from './core/_run.js';

/** The amounts of the short form: enough to notice that something is broken, in seconds. */
const short: Readonly<Record<string, Amounts>> = {
  'hostile-fixtures': { requests: 5000 },
  'hostile-postgres': { requests: 1500 },
  'isolation-fixtures': { requests: 2500 },
  'isolation-postgres': { requests: 1000 },
  'kill-state': { times: 3 },
  'disk-read-only': { times: 5 },
  'disk-removed': { times: 5 },
};

for (const [name, amounts] of Object.entries(short)) {
  test.serial(`${name}, in its short form, shows nothing wrong`, async (t) => {
    const run = allRuns.find((each) => each.name === name);
    if (run === undefined) throw new Error('there is no such run');
    const seed = Math.floor(Math.random() * 2 ** 31);
    const { result } = await executeRun({ ...run, amounts }, { seed, from: 0, progress: () => {} });
    t.log('notRun' in result ? result.notRun : result.figures.join('; '));
    t.deepEqual('notRun' in result ? [] : result.failures, [], `seed ${seed}`);
  });
}
