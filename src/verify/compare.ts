import { textOf } from '../common/json.js';
import { groupBy } from '../common/sort-and-group.js';
import { isRow, type ListItem, rowText } from './rows.js';

/**
 * A place where two JSON values differ. In the path, the items of arrays are numbers: the index on the left,
 * or on the right if only that side has the item. A value is undefined if its side has nothing there.
 */
type ValueDifference = Readonly<{
  path: readonly (string | number)[];
  left: unknown;
  right: unknown;
}>;

/** A path as text. */
export const pathText = (path: ValueDifference['path']): string => path.map((part) => `/${part}`).join('');

/** The same, with `*` for any item of an array. */
export const patternOf = (path: ValueDifference['path']): string =>
  path.map((part) => `/${typeof part === 'number' ? '*' : part}`).join('');

/** Fields whose values change as time passes. */
const timeDependent = new Set(['lastScanRelative']);

/**
 * All places where two JSON values differ, except for relative times. Rows are compared with the row of the
 * same id, so that a row that only one side has does not make all rows after it differ.
 */
export const valueDifferences = (
  left: unknown,
  right: unknown,
  path: ValueDifference['path'] = [],
): readonly ValueDifference[] => {
  if (Array.isArray(left) && Array.isArray(right)) {
    const [leftIds, rightIds] = [idsOf(left), idsOf(right)];
    if (leftIds !== null && rightIds !== null && areUnique(leftIds) && areUnique(rightIds))
      return rowDifferences(matchRows(left, right), path);
    if (left.length !== right.length) return [{ path, left, right }];
    return left.flatMap((item, index) => valueDifferences(item, right[index], [...path, index]));
  }
  if (isRow(left) && isRow(right))
    return Array.from(new Set([...Object.keys(left), ...Object.keys(right)]))
      .filter((key) => !timeDependent.has(key))
      .flatMap((key) => valueDifferences(left[key], right[key], [...path, key]));
  return left === right ? [] : [{ path, left, right }];
};

/** The ids of rows; null if one of them has none. */
export const idsOf = (rows: readonly unknown[]): readonly string[] | null => {
  const ids = rows.flatMap((row) => textOf(row, 'id') ?? []);
  return ids.length === rows.length ? ids : null;
};

const areUnique = (ids: readonly string[]): boolean => new Set(ids).size === ids.length;

/** A row that is matched by its id, and its index in its list. */
export type Indexed = Readonly<{ row: ListItem; index: number }>;

/** A row of each list with the same id. */
export type SharedRow = Readonly<{ left: Indexed; right: Indexed }>;

type MatchedRows = Readonly<{
  /** The rows of the left list; `right` is undefined if the other one has none of this id. */
  pairs: readonly Readonly<{ left: Indexed; right: Indexed | undefined }>[];
  shared: readonly SharedRow[];
  onlyRight: readonly Indexed[];
}>;

/** So many pairs of rows with one id are compared; more are matched in their order. */
const maxCompared = 10_000;

/**
 * The rows of the left list with those of the same id in the right one, in the order of the left one, and the
 * rows that only the right one has. Of several rows of one id, those are matched that differ least.
 */
export const matchRows = (left: readonly unknown[], right: readonly unknown[]): MatchedRows => {
  const indexed = (rows: readonly unknown[]): readonly Indexed[] =>
    rows.flatMap((row, index) => (isRow(row) ? [{ row, index }] : []));
  const [lefts, rights] = [indexed(left), indexed(right)];
  const idOf = ({ row }: Indexed): string => JSON.stringify(row.id);
  const sameId = groupBy(rights, idOf);
  const matches = new Map<Indexed, Indexed>();
  const taken = new Set<Indexed>();
  const match = (one: Indexed, other: Indexed | undefined): void => {
    if (other === undefined || matches.has(one) || taken.has(other)) return;
    matches.set(one, other);
    taken.add(other);
  };
  for (const [id, ofId] of groupBy(lefts, idOf)) {
    const others = sameId.get(id) ?? [];
    if (ofId.length === 1 && others.length === 1) {
      for (const one of ofId) match(one, others[0]);
      continue;
    }
    // Equal rows first, of which there may be thousands.
    const byText = groupBy(others, ({ row }) => rowText(row));
    const equal = new Map(Array.from(byText, ([text, rows]) => [text, rows.toReversed()]));
    for (const one of ofId) match(one, equal.get(rowText(one.row))?.pop());
    const rest = ofId.filter((each) => !matches.has(each));
    const open = others.filter((each) => !taken.has(each));
    const areMany = rest.length * open.length > maxCompared;
    if (areMany) for (const [index, one] of rest.entries()) match(one, open[index]);
    const options = (areMany ? [] : rest).flatMap((one) =>
      open.map((other) => ({ one, other, count: valueDifferences(one.row, other.row).length })),
    );
    for (const { one, other } of options.sort((some, more) => some.count - more.count)) match(one, other);
  }
  return {
    pairs: lefts.map((each) => ({ left: each, right: matches.get(each) })),
    shared: lefts.flatMap((each) => {
      const other = matches.get(each);
      return other === undefined ? [] : [{ left: each, right: other }];
    }),
    onlyRight: rights.filter((each) => !taken.has(each)),
  };
};

/** The rows that have another place on the right among these, each with the one that has its place there. */
export const moved = (shared: readonly SharedRow[]): readonly (readonly [SharedRow, SharedRow])[] => {
  const rightOrder = shared.toSorted((one, another) => one.right.index - another.right.index);
  return shared.flatMap((rows, position) => {
    const other = rightOrder[position];
    return other === undefined || other === rows ? [] : [[rows, other] as const];
  });
};

/** Rows of the left side alone and differences inside of rows, then rows of the right, then the order. */
const rowDifferences = (
  { pairs, shared, onlyRight }: MatchedRows,
  path: ValueDifference['path'],
): readonly ValueDifference[] => [
  ...pairs.flatMap(({ left: { row, index }, right }) =>
    right === undefined
      ? [{ path: [...path, index], left: row, right: undefined }]
      : valueDifferences(row, right.row, [...path, index]),
  ),
  ...onlyRight.map(({ row, index }) => ({ path: [...path, index], left: undefined, right: row })),
  ...moved(shared).map(([{ left }, other]) => ({
    path: [...path, left.index, 'id'],
    left: left.row.id,
    right: other.left.row.id,
  })),
];
