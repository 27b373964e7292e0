/** Whatever has an end at which servers are stopped and files are removed: a test, or a run. */
export type Life = Readonly<{ teardown: (stop: () => Promise<void>) => unknown }>;

/** Does some work, and then ends what the work has started, the last first, even if it fails. */
export const withLife = async <A>(work: (life: Life) => Promise<A>): Promise<A> => {
  const stops: (() => Promise<void>)[] = [];
  try {
    return await work({ teardown: (stop) => stops.push(stop) });
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
};
