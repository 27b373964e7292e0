import { amountText } from './_options.js';
import { withLife } from './core/_life.js';
import type { RunContext, SoakRun } from './core/_run.js';
import type { Finished } from './core/_table.js';

/** Does a run from its beginning to its end. What it throws is a failure of its own. */
export const executeRun = async (
  run: SoakRun,
  { seed, from, progress }: Pick<RunContext, 'seed' | 'from' | 'progress'>,
): Promise<Finished> => {
  const started = performance.now();
  const result = await withLife((life) =>
    run.execute({ life, seed, from, progress, amount: (name) => run.amounts[name] ?? 0 }),
  ).catch((error: unknown) => ({
    figures: [`seed ${seed}`],
    failures: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
  }));
  return {
    name: run.name,
    amount: amountText(run.amounts),
    seconds: (performance.now() - started) / 1000,
    result,
  };
};
