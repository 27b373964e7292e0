import { isRow, type Row, stringField } from '../verify/json-rows.js';

/**
 * Values that differ at the same place of several rows. `where` is that place with `*` for any item of an
 * array; `at`, `left` and `right` are those of the first one.
 */
export type ValueDifference = Readonly<{
  where: string;
  count: number;
  at: string;
  left: string;
  right: string;
}>;

/** Fields whose values change as time passes. */
const timeDependent = new Set(['lastScanRelative']);

/** What a server has in place of a row that only the other one has. */
export const noSuchRow = 'no such row';

/** A path twice: with `*` for the items of arrays, and with their indexes. */
type Place = Readonly<{ where: string; at: string }>;

/**
 * Where two JSON values differ, except for relative times. Rows are compared with the row of the same id, so
 * that a row that only one side has does not make all rows after it differ.
 */
export const compareValues = (left: unknown, right: unknown): readonly ValueDifference[] => {
  const found = new Map<string, ValueDifference>();

  const differ = ({ where, at }: Place, left: string, right: string): void => {
    const key = JSON.stringify([where, left === noSuchRow, right === noSuchRow]);
    const known = found.get(key);
    found.set(
      key,
      known === undefined ? { where, count: 1, at, left, right } : { ...known, count: known.count + 1 },
    );
  };

  const visitRows = (place: Place, left: RowsById, right: RowsById): void => {
    for (const [id, { row, index }] of left) {
      const other = right.get(id);
      if (other === undefined) differ(itemOf(place, index), shown(id), noSuchRow);
      else visit(itemOf(place, index), row, other.row);
    }
    for (const [id, { index }] of right)
      if (!left.has(id)) differ(itemOf(place, index), noSuchRow, shown(id));
    const rightOrder = Array.from(right.keys()).filter((id) => left.has(id));
    const leftOrder = Array.from(left).filter(([id]) => right.has(id));
    for (const [position, [id, { index }]] of leftOrder.entries()) {
      const other = rightOrder[position];
      if (other !== id) differ(inside(itemOf(place, index), 'id'), shown(id), shown(other));
    }
  };

  const visit = (place: Place, left: unknown, right: unknown): void => {
    if (Array.isArray(left) && Array.isArray(right)) {
      const [leftRows, rightRows] = [rowsById(left), rowsById(right)];
      if (leftRows !== null && rightRows !== null) visitRows(place, leftRows, rightRows);
      else if (left.length !== right.length) differ(place, items(left), items(right));
      else for (const [index, item] of left.entries()) visit(itemOf(place, index), item, right[index]);
    } else if (isRow(left) && isRow(right)) {
      // A field that only one side has is a difference in shape.
      for (const key of Object.keys(left))
        if (Object.hasOwn(right, key) && !timeDependent.has(key))
          visit(inside(place, key), left[key], right[key]);
    } else if (!Object.is(left, right)) differ(place, shown(left), shown(right));
  };

  visit({ where: '', at: '' }, left, right);
  return Array.from(found.values());
};

const inside = ({ where, at }: Place, key: string): Place => ({
  where: `${where}/${key}`,
  at: `${at}/${key}`,
});

const itemOf = ({ where, at }: Place, index: number): Place => ({
  where: `${where}/*`,
  at: `${at}/${index}`,
});

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

const shown = (value: unknown): string => JSON.stringify(value) ?? 'missing';

const items = ({ length }: readonly unknown[]): string => (length === 1 ? '1 item' : `${length} items`);
