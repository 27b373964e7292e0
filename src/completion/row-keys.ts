import { UnknownRecord } from 'io-ts';

/** What identifies a row of an undecoded fixture, and its links to other rows. */
export type RowKeys = Readonly<{
  /** The path of the row. */
  place: readonly string[];
  id: string | undefined;
  /** All that the row itself says, in a form that does not depend on the order of its keys. */
  content: string;
  /** The text of a field; undefined if it is missing or no text. */
  text: (field: string) => string | undefined;
}>;

/** The keys of a row. A value of another shape counts as a row without fields: the codec reports it. */
export const rowKeys = (row: unknown, place: readonly string[]): RowKeys => {
  const text = (field: string): string | undefined => {
    const value = UnknownRecord.is(row) && Object.hasOwn(row, field) ? row[field] : undefined;
    return typeof value === 'string' ? value : undefined;
  };
  return { place, id: text('id'), content: contentOf(row), text };
};

/** The keys of all rows of a collection. */
export const rowsOf = (value: unknown, collection: string): readonly RowKeys[] =>
  listAt(value, collection).map((row, index) => rowKeys(row, [collection, String(index)]));

/** The keys of the pull requests that stand inside rows of a collection; null where there is none. */
export const ownPullRequests = (value: unknown, collection: string): readonly (RowKeys | null)[] =>
  listAt(value, collection).map((row, index) => {
    const own = UnknownRecord.is(row) && Object.hasOwn(row, 'pullRequest') ? row.pullRequest : undefined;
    return own === undefined ? null : rowKeys(own, [collection, String(index), 'pullRequest']);
  });

/** Whether a fixture has a collection. */
export const has = (value: unknown, collection: string): boolean =>
  UnknownRecord.is(value) && Object.hasOwn(value, collection) && value[collection] !== undefined;

const listAt = (value: unknown, collection: string): readonly unknown[] => {
  const rows = UnknownRecord.is(value) && Object.hasOwn(value, collection) ? value[collection] : undefined;
  return Array.isArray(rows) ? rows : [];
};

/** Only scalars: a nested pull request is a row of its own, and nothing else that is nested is valid. */
const contentOf = (row: unknown): string =>
  UnknownRecord.is(row)
    ? JSON.stringify(
        Object.keys(row)
          .filter((key) => row[key] !== undefined && (typeof row[key] !== 'object' || row[key] === null))
          .sort()
          .map((key) => [key, row[key]]),
      )
    : '[]';
