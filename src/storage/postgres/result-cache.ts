/** A result with its version, which the database compares with the current one. */
export type KnownResult<A> = Readonly<{ version: string; value: A }>;

/**
 * Keeps the results of queries that may be asked again: the database then answers with the version alone if
 * nothing has changed. The least recently used are dropped when the sizes add up to more than `maxSize`.
 */
export type ResultCache<A> = Readonly<{
  get: (key: string) => KnownResult<A> | null;
  set: (key: string, result: KnownResult<A>, size: number) => void;
  /** How often `get` has found something and has not, and the size of what is kept. */
  figures: () => Readonly<{ hits: number; misses: number; size: number }>;
}>;

export const resultCache = <A>(maxSize: number): ResultCache<A> => {
  // A map keeps the order of insertion: the first entry is the least recently used.
  const entries = new Map<string, Readonly<{ result: KnownResult<A>; size: number }>>();
  let total = 0;
  let hits = 0;
  let misses = 0;
  const remove = (key: string): void => {
    total -= entries.get(key)?.size ?? 0;
    entries.delete(key);
  };
  return {
    get: (key) => {
      const entry = entries.get(key);
      if (entry === undefined) {
        misses += 1;
        return null;
      }
      hits += 1;
      entries.delete(key);
      entries.set(key, entry);
      return entry.result;
    },
    set: (key, result, size) => {
      remove(key);
      if (size > maxSize) return;
      entries.set(key, { result, size });
      total += size;
      for (const oldest of entries.keys()) {
        if (total <= maxSize) break;
        remove(oldest);
      }
    },
    figures: () => ({ hits, misses, size: total }),
  };
};
