import { contractFields } from '../contract-fields.js';
import { integerField, isRow, type Row } from '../json-rows.js';
import type { Page } from '../request-needs.js';

/** The rows of a list by their position. A position that was not fetched, or has no object, has none. */
export type KnownRows = Readonly<{
  rows: readonly (Row | undefined)[];
  totalItems: number;
  /** Whether the row of every position is known. */
  isComplete: boolean;
}>;

/** What the pages of a list tell about its rows, whichever pages were fetched. */
export const knownRows = (pages: readonly Page[]): KnownRows => {
  const rows: (Row | undefined)[] = [];
  for (const { request, items } of pages) {
    const query = new Map(request.query);
    const start = (Number(query.get('page')) - 1) * Number(query.get('limit'));
    items.forEach(({ value }, index) => {
      if (isRow(value)) rows[start + index] = contractFields(value);
    });
  }
  const totalItems = Math.max(0, integerField(pages[0]?.value ?? {}, 'totalItems') ?? 0);
  const known = rows.filter((row) => row !== undefined).length;
  return { rows, totalItems, isComplete: rows.length === totalItems && known === totalItems };
};

/** Rows that are known completely, as such. */
export const completeRows = (rows: readonly Row[]): KnownRows => ({
  rows,
  totalItems: rows.length,
  isComplete: true,
});

/** The rows of a page; null if not all of them are known, or the page is beyond the last. */
export const knownPage = (
  { rows, totalItems }: KnownRows,
  page: number,
  limit: number,
): readonly Row[] | null => {
  const start = (page - 1) * limit;
  if (page > 1 && start >= totalItems) return null;
  const end = Math.min(start + limit, totalItems);
  const found = rows.slice(start, end).filter((row) => row !== undefined);
  return found.length === end - start ? found : null;
};
