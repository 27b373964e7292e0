import { type Later, runAfter, runSimulated } from './timers.js';

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

/** Returns a function that does so with the tasks of each key, which wait for none of another key. */
export const limitPerKey = (limit: number) => {
  const queues = new Map<string, { run: ReturnType<typeof limitConcurrency>; tasks: number }>();
  return async <A>(key: string, task: () => Promise<A>): Promise<A> => {
    const queue = queues.get(key) ?? { run: limitConcurrency(limit), tasks: 0 };
    queues.set(key, queue);
    queue.tasks += 1;
    try {
      return await queue.run(task);
    } finally {
      queue.tasks -= 1;
      if (queue.tasks === 0) queues.delete(key);
    }
  };
};

/** Returns a function that runs tasks one after the other, in the order of the calls. */
export const inTurn = () => limitConcurrency(1);

/** What a task resolves to; null if it has not settled within so many milliseconds. Rejects as it does. */
export const settledWithin = async <A>(timeLimit: number, task: () => Promise<A>): Promise<A | null> => {
  let cancel = (): void => {};
  const late = new Promise<null>((resolve) => {
    cancel = runAfter(timeLimit, () => resolve(null));
  });
  try {
    return await Promise.race([task(), late]);
  } finally {
    cancel();
  }
};

/** Waits on purpose for so many milliseconds. False: a signal was aborted before. */
export const sleep = (
  milliseconds: number,
  signal: AbortSignal,
  { later = runSimulated, orUntil = signal }: Readonly<{ later?: Later; orUntil?: AbortSignal }> = {},
): Promise<boolean> =>
  new Promise((resolve) => {
    const end = (isOver: boolean): void => {
      cancel();
      for (const each of [signal, orUntil]) each.removeEventListener('abort', giveUp);
      resolve(isOver);
    };
    const giveUp = (): void => end(false);
    const cancel = later(milliseconds, () => end(true));
    if (signal.aborted || orUntil.aborted) return giveUp();
    for (const each of [signal, orUntil]) each.addEventListener('abort', giveUp);
  });
