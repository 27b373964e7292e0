import { digest } from './digest.js';

/** A row that has an id or needs one. */
export type WithKey = Readonly<{
  id: string | undefined;
  /** What the id is made of. */
  key: string;
  /** Orders rows with the same key. */
  content: string;
}>;

/**
 * The ids of rows, in their order: those that they have, and for the others ids that follow from their keys.
 * Rows with the same key get different ids, and the same ones whatever the order of all rows is. `taken` are
 * ids of other rows.
 */
export const assignIds = (
  prefix: string,
  rows: readonly WithKey[],
  taken: Iterable<string> = [],
): readonly string[] => {
  const used = new Set(taken);
  const ids: string[] = [];
  const sameKey = new Map<string, number[]>();
  for (const [index, { id, key }] of rows.entries()) {
    ids.push(id ?? '');
    if (id !== undefined) used.add(id);
    else {
      const group = sameKey.get(key);
      if (group === undefined) sameKey.set(key, [index]);
      else group.push(index);
    }
  }
  for (const [key, group] of sameKey) {
    let nth = 0;
    for (const index of inOrderOfContent(group, rows)) {
      while (used.has(madeId(prefix, key, nth))) nth += 1;
      const id = madeId(prefix, key, nth);
      used.add(id);
      ids[index] = id;
    }
  }
  return ids;
};

const madeId = (prefix: string, key: string, nth: number): string =>
  `${prefix}_${digest(nth === 0 ? key : `${key}\n${nth}`)}`;

const inOrderOfContent = (group: readonly number[], rows: readonly WithKey[]): readonly number[] => {
  if (group.length === 1) return group;
  const contentAt = (index: number): string => rows[index]?.content ?? '';
  return [...group].sort((l, r) =>
    contentAt(l) < contentAt(r) ? -1 : contentAt(l) > contentAt(r) ? 1 : l - r,
  );
};
