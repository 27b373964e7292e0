/** How often an action runs: before the measurement, and during it. */
export type Repetitions = Readonly<{ warmUps: number; runs: number }>;

const defaults: Repetitions = { warmUps: 2000, runs: 5000 };

/** The median of some numbers; of an even number of them, the upper one. */
export const median = (values: readonly number[]): number =>
  values.toSorted((l, r) => l - r)[Math.floor(values.length / 2)] ?? 0;

/** The median time of an asynchronous action, in microseconds. */
export const medianMicroseconds = async (
  action: () => Promise<unknown>,
  { warmUps, runs }: Repetitions = defaults,
): Promise<number> => {
  for (let i = 0; i < warmUps; i += 1) await action();
  const times: number[] = [];
  for (let i = 0; i < runs; i += 1) {
    const started = performance.now();
    await action();
    times.push(performance.now() - started);
  }
  return median(times) * 1000;
};
