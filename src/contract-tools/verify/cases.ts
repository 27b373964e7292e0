import { type ApiRequest, describeRequest } from '../../client/outgoing-request.js';
import { canonicalJson, isJsonEqual } from '../../common/json.js';
import { groupBy } from '../../common/sort-and-group.js';
import type { FixedErrorCodec } from '../../contract/error-bodies.js';
import type { Exchange } from './caching-client.js';
import { contractPart } from './contract-fields.js';
import { type Located, type Row, stringField } from './json-rows.js';
import { asPage, type Page } from './request-needs.js';
import type { Case, Violation } from './verdict.js';

/** An exchange, a page, or a value in one. */
type Place = Readonly<{ request: ApiRequest; path?: readonly string[] }>;

/** A violation at a place; `inner` is the path from there. */
export const violation = (
  { request, path = [] }: Place,
  expected: string,
  got: unknown,
  ...inner: readonly string[]
): Violation => ({ request, path: [...path, ...inner], expected, got });

/** A field has this value; `why` says where the expectation comes from. */
export const fieldIs = (row: Located, field: string, expected: unknown, why = ''): Case =>
  isJsonEqual(row.value[field], expected)
    ? null
    : violation(row, `${JSON.stringify(expected)}${why}`, row.value[field], field);

/** A row has no fields other than these. */
export const hasOnlyFields = (row: Located, names: readonly string[]): readonly Case[] => {
  const others = Object.keys(row.value).filter((name) => !names.includes(name));
  return others.length === 0
    ? [null]
    : others.map((name) => violation(row, 'no such field', row.value[name], name));
};

/** A page has this number of items. */
export const hasItems = (page: Page, count: number): Case =>
  page.items.length === count ? null : violation(page, `${count} items`, page.items.length, 'items');

/** The end of an expectation that follows from another response. */
export const asIn = (request: ApiRequest): string => `, as in ${describeRequest(request)}`;

/** The end of an expectation that was computed from another response. */
export const followingFrom = (request: ApiRequest): string =>
  `, which follows from ${describeRequest(request)}`;

/** The same for a number of rows. */
export const countedIn = (request: ApiRequest): string => `, counted in ${describeRequest(request)}`;

export const isOk = (exchange: Exchange): Case => hasStatus(exchange, 200);

export const hasStatus = (exchange: Exchange, status: number): Case =>
  exchange.response.status === status
    ? null
    : violation(exchange, `status ${status}`, exchange.response.status);

/** A failure has this status and exactly this body (contract, section 7). */
export const isError = <M extends string>(
  exchange: Exchange,
  status: number,
  { type }: FixedErrorCodec<M>,
): readonly Case[] => {
  const expected = { error: type.props.error.value };
  const { body, response } = exchange;
  return [
    hasStatus(exchange, status),
    isJsonEqual(body, expected) ? null : violation(exchange, JSON.stringify(expected), body ?? response.text),
  ];
};

/** Judges the page in a response; a response without a page is a violation. */
export const onPage = (
  exchange: Exchange,
  judge: (page: Page) => Case | readonly Case[],
): readonly Case[] => {
  const page = asPage(exchange);
  return page === null
    ? [violation(exchange, '200 with a page', exchange.response.status)]
    : [judge(page)].flat();
};

/** The response is an empty page, not an error (contract, sections 4.2, 4.4 and 7, note 2). */
export const isEmptyPage = (exchange: Exchange): readonly Case[] =>
  onPage(exchange, (page) => [
    page.items.length === 0 ? null : violation(page, 'no items', page.items.length, 'items'),
    fieldIs(page, 'totalItems', 0),
  ]);

/** The items of a page, reduced to the fields of the contract. */
export const itemValues = ({ items }: Page): readonly unknown[] =>
  items.map(({ value }) => contractPart(value));

/** No two rows have the same value in a field. */
export const areUnique = (rows: readonly Located[], field: string): readonly Case[] => {
  const seen = new Set<string>();
  return rows.map((row) => {
    const value = canonicalJson(row.value[field]);
    if (seen.has(value))
      return violation(row, `a different ${field} from all rows before`, row.value[field], field);
    seen.add(value);
    return null;
  });
};

/**
 * One case per row: `others` contains it. Each of the others matches one row only. Rows are compared as a
 * whole: pull requests have no id of their own, and those of one draft share its id.
 */
export const areAmong = (
  rows: readonly Located[],
  others: readonly Located[],
  expected: string,
): readonly Case[] => {
  const left = new Map(
    Array.from(
      groupBy(others, ({ value }) => canonicalJson(value)),
      ([text, same]) => [text, same.length],
    ),
  );
  return rows.map((row) => {
    const text = canonicalJson(row.value);
    const count = left.get(text) ?? 0;
    if (count === 0) return violation(row, expected, row.value);
    left.set(text, count - 1);
    return null;
  });
};

/** One case for each row but the first: its timestamp is not later than that of the row before. */
export const notAfter = (
  rows: readonly Located[],
  field: string,
  isTieRight: (before: Row, after: Row) => boolean = () => true,
): readonly Case[] =>
  rows.slice(1).map((row, index) => {
    const before = rows[index]?.value ?? {};
    const [earlier, later] = [stringField(row.value, field) ?? '', stringField(before, field) ?? ''];
    return earlier < later || (earlier === later && isTieRight(before, row.value))
      ? null
      : violation(row, `not later than ${later}, as in the row before`, earlier, field);
  });
