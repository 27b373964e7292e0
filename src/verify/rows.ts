import * as t from 'io-ts';
import type { OutgoingRequest } from '../client/outgoing-request.js';
import { canonicalJson, textOf } from '../common/json.js';
import { onceFor } from '../common/lru.js';
import { ErrorBody } from '../contract/error-bodies.js';
import { FindingDetail } from '../contract/finding.js';
import { PageInfo } from '../contract/page-and-limit.js';
import { Pr, PrRepo } from '../contract/pr.js';
import { LastScan, Repo } from '../contract/repo.js';

/** A JSON object of which nothing is assumed yet. */
export type ListItem = Readonly<Record<string, unknown>>;

/** A response, or a value in its body: the request that returned it, and the path to the value. */
export type Place = Readonly<{ request: OutgoingRequest; path?: readonly string[] }>;

/** A value in a response body. */
export type Located<A = ListItem> = Readonly<{ value: A }> & Required<Place>;

export const isRow = (u: unknown): u is ListItem => t.UnknownRecord.is(u);

/** The values that are objects. The checks of types report the others. */
export const rowsIn = (values: readonly Located<unknown>[]): readonly Located[] =>
  values.flatMap(({ value, ...where }) => (isRow(value) ? [{ value, ...where }] : []));

/** The objects in a field of a row: one, or none if it is something else. */
export const rowIn = ({ value, path, ...where }: Located, field: string): readonly Located[] =>
  rowsIn([{ ...where, value: value[field], path: [...path, field] }]);

/** The non-empty ids in a field of rows, in their order and with repetitions. */
export const idsIn = (rows: readonly Located[], field = 'id'): readonly string[] =>
  rows.flatMap(({ value }) => textOf(value, field) || []);

/** The integer in a field; null if there is none. */
export const integerField = (row: ListItem, field: string): number | null => {
  const value = row[field];
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
};

/** The field names of all resources. */
export const contractFieldNames: ReadonlySet<string> = new Set(
  [Repo, LastScan, FindingDetail, Pr, PrRepo, PageInfo, ErrorBody]
    .flatMap(({ type }) => Object.keys(type.props))
    .concat('items'),
);

/**
 * The part of a row that is compared between responses: the fields of the contract, except the one whose
 * value changes as time passes. A server may send others, and nobody knows whether those stay the same. Many
 * checks ask for the part of the same row.
 */
export const contractFields = onceFor((row: ListItem): ListItem => {
  const part: Record<string, unknown> = {};
  for (const name of Object.keys(row))
    if (contractFieldNames.has(name) && name !== 'lastScanRelative') part[name] = contractPart(row[name]);
  return part;
});

/** The same for a whole body. */
export const contractPart = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(contractPart);
  return isRow(value) ? contractFields(value) : value;
};

/** What two rows have in common if and only if they are equal. */
export const rowText = onceFor<ListItem, string>(canonicalJson);
