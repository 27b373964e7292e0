import { isRow } from '../row.js';

/** A body without `lastScanRelative`, which changes by itself as time passes. */
export const withoutRelativeTimes = (body: unknown): unknown =>
  Array.isArray(body)
    ? body.map((item: unknown) => (isRow(item) ? { ...item, lastScanRelative: null } : item))
    : body;
