/**
 * Returns a function that says whether it was called with an object before, among the last `count` different
 * ones at least, and among twice as many at most. Costs a few bytes an object.
 */
export const seenLately = <A extends object>(count: number): ((object: A) => boolean) => {
  let younger = new WeakSet<A>();
  let older = new WeakSet<A>();
  let size = 0;
  return (object) => {
    if (younger.has(object)) return true;
    if (size >= count) {
      older = younger;
      younger = new WeakSet();
      size = 0;
    }
    younger.add(object);
    size += 1;
    return older.has(object);
  };
};
