import * as t from 'io-ts';
import type { ApiRequest } from '../../client/outgoing-request.js';

/** A JSON object of which nothing is assumed yet. */
export type Row = Readonly<Record<string, unknown>>;

/** A value in a response body: the request that returned it, and the path to it in the body. */
export type Located<A = Row> = Readonly<{ value: A; request: ApiRequest; path: readonly string[] }>;

export const isRow = (u: unknown): u is Row => t.UnknownRecord.is(u);

/** The values that are objects. The checks of types report the others. */
export const rowsOf = (values: readonly Located<unknown>[]): readonly Located[] =>
  values.flatMap(({ value, ...where }) => (isRow(value) ? [{ value, ...where }] : []));

/** The string in a field; null if there is none. */
export const stringField = (row: Row, field: string): string | null => {
  const value = row[field];
  return typeof value === 'string' ? value : null;
};

/** The non-empty ids in a field of rows, in their order and with repetitions. */
export const idsIn = (rows: readonly Located[], field = 'id'): readonly string[] =>
  rows.flatMap(({ value }) => stringField(value, field) || []);

/** The integer in a field; null if there is none. */
export const integerField = (row: Row, field: string): number | null => {
  const value = row[field];
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
};
