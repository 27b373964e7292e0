/** How many results are kept, and how long the keys may be that they belong to. */
const maxKept = 1000;
const maxKeptLength = 200;

/** Returns the result that is kept for a key, or computes it. */
export type Memo<A> = (key: string, compute: () => A) => A;

/** Keeps results for keys that come again and again. The key has to say all that a result depends on. */
export const memo = <A>(): Memo<A> => {
  const kept = new Map<string, A>();
  return (key, compute) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const result = compute();
    if (key.length > maxKeptLength) return result;
    // Simpler than to find the oldest, and rare.
    if (kept.size >= maxKept) kept.clear();
    kept.set(key, result);
    return result;
  };
};
