/**
 * Orders text by code point, as PostgreSQL's `COLLATE "C"` orders UTF-8. JavaScript's `<` compares UTF-16
 * units and sorts an emoji, whose surrogates start at D83D, before U+FFFD.
 */
export const compareCodePoints = (left: string, right: string): number => {
  let i = 0;
  while (i < left.length && left.charCodeAt(i) === right.charCodeAt(i)) i += 1;
  return (left.codePointAt(i) ?? -1) - (right.codePointAt(i) ?? -1);
};

/** The rows under each key. Keys come in the order of their first row, rows in the order given. */
export const groupBy = <A, K>(rows: Iterable<A>, keyOf: (row: A) => K): ReadonlyMap<K, readonly A[]> =>
  groupByEach(rows, (row) => [keyOf(row)]);

/** The same for rows that are under several keys each. */
export const groupByEach = <A, K>(rows: Iterable<A>, keysOf: (row: A) => Iterable<K>) => {
  const groups = new Map<K, A[]>();
  for (const row of rows) {
    for (const key of keysOf(row)) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [row]);
      else group.push(row);
    }
  }
  return groups;
};
