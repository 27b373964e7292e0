import { isRow, type Row, stringField } from './verify/rows.js';

/**
 * A place where two JSON values differ. In the path, the items of arrays are numbers: the index on the left,
 * or on the right if only that side has the item. A value is undefined if its side has nothing there.
 */
export type ValueDifference = Readonly<{
  path: readonly (string | number)[];
  left: unknown;
  right: unknown;
}>;

/** A path as text, with `*` for any item of an array. */
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
    const [leftRows, rightRows] = [rowsById(left), rowsById(right)];
    if (leftRows !== null && rightRows !== null) return rowDifferences(leftRows, rightRows, path);
    if (left.length !== right.length) return [{ path, left, right }];
    return left.flatMap((item, index) => valueDifferences(item, right[index], [...path, index]));
  }
  if (isRow(left) && isRow(right))
    return Array.from(new Set([...Object.keys(left), ...Object.keys(right)]))
      .filter((key) => !timeDependent.has(key))
      .flatMap((key) => valueDifferences(left[key], right[key], [...path, key]));
  return left === right ? [] : [{ path, left, right }];
};

/**
 * Rows that only the left side has and differences inside of rows, then rows of the right, then the order.
 */
const rowDifferences = (
  left: RowsById,
  right: RowsById,
  path: ValueDifference['path'],
): readonly ValueDifference[] => {
  const shared = Array.from(left).filter(([id]) => right.has(id));
  const rightOrder = Array.from(right.keys()).filter((id) => left.has(id));
  return [
    ...Array.from(left).flatMap(([id, { row, index }]) => {
      const other = right.get(id);
      const place = [...path, index];
      return other === undefined
        ? [{ path: place, left: row, right: undefined }]
        : valueDifferences(row, other.row, place);
    }),
    ...Array.from(right)
      .filter(([id]) => !left.has(id))
      .map(([, { row, index }]) => ({ path: [...path, index], left: undefined, right: row })),
    ...shared.flatMap(([id, { index }], position) =>
      rightOrder[position] === id
        ? []
        : [{ path: [...path, index, 'id'], left: id, right: rightOrder[position] }],
    ),
  ];
};

type RowsById = ReadonlyMap<string, Readonly<{ row: Row; index: number }>>;

/** The items of an array by id; null if one has no id, or two have the same. */
const rowsById = (array: readonly unknown[]): RowsById | null => {
  const rows = new Map<string, Readonly<{ row: Row; index: number }>>();
  for (const [index, row] of array.entries()) {
    const id = isRow(row) ? stringField(row, 'id') : null;
    if (!isRow(row) || id === null || rows.has(id)) return null;
    rows.set(id, { row, index });
  }
  return rows;
};
