import type { ExecutionContext } from 'ava';

/** A step of a journey: its name, as one says what a visitor does or sees, and what happens in it. */
export type Step<Visit> = readonly [name: string, take: (visit: Visit) => Promise<void>];

/** No step takes this long, even on a busy machine; shorter than what the test runner gives a test. */
const hangs = 5 * 60_000;

/** Takes all steps, one after the other. One that fails, or hangs, is named. */
export const takeSteps = async <Visit>(
  t: ExecutionContext,
  steps: readonly Step<Visit>[],
  visit: Visit,
): Promise<void> => {
  for (const [index, [name, take]] of steps.entries()) {
    const which = `step ${index + 1} of ${steps.length}: ${name}`;
    t.timeout(hangs, which);
    try {
      await take(visit);
    } catch (error) {
      t.log(which);
      throw error;
    }
  }
};
