/**
 * Orders text by code point, as PostgreSQL's `COLLATE "C"` orders UTF-8. JavaScript's `<` compares UTF-16
 * units and sorts an emoji, whose surrogates start at D83D, before U+FFFD. This comparison moves surrogates
 * above all other units.
 */
export const compareCodePoints = (left: string, right: string): number => {
  const shared = Math.min(left.length, right.length);
  for (let i = 0; i < shared; i += 1) {
    const l = left.charCodeAt(i);
    const r = right.charCodeAt(i);
    if (l !== r) return weight(l) - weight(r);
  }
  return left.length - right.length;
};

const weight = (unit: number): number => {
  if (unit >= 0xe000) return unit - 0x0800;
  return unit >= 0xd800 ? unit + 0x2000 : unit;
};

/** The rows under each key. Keys come in the order of their first row, rows in the order given. */
export const groupBy = <A, K>(rows: Iterable<A>, keyOf: (row: A) => K): ReadonlyMap<K, readonly A[]> => {
  const groups = new Map<K, A[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
};
