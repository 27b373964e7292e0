/** What a task resolves to; null if it has not settled within so many milliseconds. Rejects as it does. */
export const settledWithin = async <A>(timeLimit: number, task: () => Promise<A>): Promise<A | null> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, timeLimit, null);
  });
  try {
    return await Promise.race([task(), late]);
  } finally {
    clearTimeout(timer);
  }
};
