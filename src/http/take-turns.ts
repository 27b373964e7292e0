/** Runs a piece of work soon. */
export type Later = (work: () => void) => void;

/**
 * Runs work that can wait: in order, and at most `count` pieces before the event loop turns to what has
 * arrived meanwhile. So requests that waited behind others of their connections do not hold up everyone else.
 */
export const takeTurns = (count: number): Later => {
  let waiting: (() => void)[] = [];
  const run = (): void => {
    const next = waiting.slice(0, count);
    waiting = waiting.slice(count);
    if (waiting.length > 0) setImmediate(run);
    for (const work of next) work();
  };
  return (work) => {
    waiting.push(work);
    if (waiting.length === 1) setImmediate(run);
  };
};
