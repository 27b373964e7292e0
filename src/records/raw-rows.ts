import { UnknownRecord } from 'io-ts';

/** A text field of a row that has not been decoded yet, and the path at which it stands. */
export type RawText = Readonly<{ path: readonly string[]; text: string }>;

/**
 * The texts under `field` in the rows of a collection of an undecoded dataset. What does not have the shape is passed
 * over: the codec reports it, and the checks that use this can still report everything else in the same go.
 */
export const rawTexts = (dataset: unknown, collection: string, field: string): readonly RawText[] => {
  const rows = UnknownRecord.is(dataset) ? dataset[collection] : undefined;
  if (!Array.isArray(rows)) return [];
  return rows.flatMap((row: unknown, index) => {
    const text = UnknownRecord.is(row) ? row[field] : undefined;
    return typeof text === 'string' ? [{ path: [collection, String(index), field], text }] : [];
  });
};
