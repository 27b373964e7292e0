type HeldEntry = Readonly<{ weight: number; forget: () => void }>;

/**
 * Room for values whose weights add up to `room` at most: a cache that drops what is least recently used
 * (LRU). All collections share the room. (The package `lru-cache` does this, too, but has one collection to a
 * room, and adds 6 kB to what a browser loads.)
 */
export const keepWithin = (room: number) => {
  // A set keeps its order: what was used last is at its end.
  const all = new Set<HeldEntry>();
  let total = 0;
  const drop = (entry: HeldEntry): void => {
    if (all.delete(entry)) total -= entry.weight;
    entry.forget();
  };
  const collection = <V>() => {
    const own = new Map<string, Map<string, HeldEntry & Readonly<{ value: V }>>>();
    return {
      /** Takes two keys, because one text made of them would have to be hashed anew for each request. */
      get: (group: string, key: string): V | undefined => {
        const entry = own.get(group)?.get(key);
        if (entry === undefined) return undefined;
        all.delete(entry);
        all.add(entry);
        return entry.value;
      },
      set: (group: string, key: string, value: V, weight: number): void => {
        const earlier = own.get(group)?.get(key);
        if (earlier !== undefined) drop(earlier);
        if (weight > room) return;
        const members = own.get(group) ?? new Map<string, HeldEntry & Readonly<{ value: V }>>();
        const forget = (): void => {
          members.delete(key);
          if (members.size === 0) own.delete(group);
        };
        const entry = { value, weight, forget };
        own.set(group, members.set(key, entry));
        all.add(entry);
        total += weight;
        for (const oldest of all) {
          if (total <= room) break;
          drop(oldest);
        }
      },
    };
  };
  return { collection, weight: (): number => total };
};

/** Makes a value of each object once, and keeps it for as long as there is the object. */
export const onceFor = <K extends object, V>(make: (key: K) => V): ((key: K) => V) => {
  const values = new WeakMap<K, Readonly<{ value: V }>>();
  return (key) => {
    const entry = values.get(key) ?? { value: make(key) };
    values.set(key, entry);
    return entry.value;
  };
};
