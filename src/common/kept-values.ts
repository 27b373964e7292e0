/** Values that were derived from objects, kept for as long as the objects live and there is room. */
export type KeptValues<K extends object, V> = Readonly<{
  get: (key: K) => V | undefined;
  /** Keeps a value; `weight` is what it takes of the room. */
  set: (key: K, value: V, weight: number) => void;
}>;

/** Makes another collection of values in the same room. */
export type Keep = <K extends object, V>() => KeptValues<K, V>;

/**
 * Room for values whose weights add up to `room` at most; those that have not been used for the longest time
 * go first. A look-up costs little more than that of a `WeakMap`, because nothing is sorted: there are two
 * generations with half of the room each. What is used moves to the younger one; when that is full, it
 * becomes the older one, whose values are dropped.
 */
export const keepWithin = (room: number): Keep => {
  let generation = 0;
  let weightOfYounger = 0;
  return <K extends object, V>(): KeptValues<K, V> => {
    type Kept = Readonly<{ value: V; weight: number }>;
    let own = generation;
    let younger = new WeakMap<K, Kept>();
    let older = new WeakMap<K, Kept>();
    const catchUp = (): void => {
      if (own === generation) return;
      older = own === generation - 1 ? younger : new WeakMap();
      younger = new WeakMap();
      own = generation;
    };
    const keep = (key: K, kept: Kept): void => {
      if (weightOfYounger + kept.weight > room / 2) {
        generation += 1;
        weightOfYounger = 0;
        catchUp();
      }
      younger.set(key, kept);
      weightOfYounger += kept.weight;
    };
    return {
      get: (key) => {
        catchUp();
        const young = younger.get(key);
        if (young !== undefined) return young.value;
        const old = older.get(key);
        if (old !== undefined) keep(key, old);
        return old?.value;
      },
      set: (key, value, weight) => {
        catchUp();
        if (weight <= room / 2) keep(key, { value, weight });
        else {
          younger.delete(key);
          older.delete(key);
        }
      },
    };
  };
};
