/**
 * Returns a function that runs tasks in the order in which they come, and at most `limit` of them at once.
 */
export const limitConcurrency = (limit: number): (<A>(task: () => Promise<A>) => Promise<A>) => {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (task) => {
    // A task that ends hands its place to the next one, so that none that comes later can take it.
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
};
