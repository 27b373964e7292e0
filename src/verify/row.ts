import * as t from 'io-ts';
import type { ApiRequest } from '../client/api-request.js';

/** A JSON object whose fields may be anything: what a server sends is compared before it is believed. */
export type Row = Readonly<Record<string, unknown>>;

/** A value inside of an answer, and where it was seen. */
export type Seen<A = Row> = Readonly<{ value: A; from: ApiRequest; path: readonly string[] }>;

export const isRow = (u: unknown): u is Row => t.UnknownRecord.is(u);

/** Those that are objects; the others are for the checks of types to tell of. */
export const rowsOf = (values: readonly Seen<unknown>[]): readonly Seen[] =>
  values.flatMap(({ value, ...where }) => (isRow(value) ? [{ value, ...where }] : []));

/** The text in a field, where it is one. */
export const textIn = (row: Row, field: string): string | null => {
  const value = row[field];
  return typeof value === 'string' ? value : null;
};

/** The whole number in a field, where it is one. */
export const wholeIn = (row: Row, field: string): number | null => {
  const value = row[field];
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
};
