import { UnknownRecord } from 'io-ts';

/** The rows of a collection. Anything of another shape is skipped here: the codec reports it. */
export const rowsOf = (dataset: unknown, collection: string): readonly unknown[] => {
  const rows = UnknownRecord.is(dataset) ? dataset[collection] : undefined;
  return Array.isArray(rows) ? rows : [];
};

/** The text in a field of a row, if there is one. */
export const textOf = (row: unknown, field: string): string | undefined => {
  const text = UnknownRecord.is(row) ? row[field] : undefined;
  return typeof text === 'string' ? text : undefined;
};

/** The text at a path of an undecoded dataset; undefined if there is none. */
export const textAt = (dataset: unknown, path: readonly string[]): string | undefined => {
  let value = dataset;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return typeof value === 'string' ? value : undefined;
};
