/** How often an action runs: before the measurement, and during it. */
export type Repetitions = Readonly<{ warmUps: number; runs: number }>;

const defaults: Repetitions = { warmUps: 2000, runs: 5000 };

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
  times.sort((l, r) => l - r);
  return (times[Math.floor(runs / 2)] ?? 0) * 1000;
};
