import type * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import type { Keep } from '../../common/lru.js';
import type { Problem } from '../../contract/codecs/problem.js';
import type { PageCodec, PageInfo } from '../../contract/page-and-limit.js';
import type { Range } from '../../storage/port.js';
import type { ContractBroken } from './handlers.js';
import { type Rendered, render } from './rendered.js';

/** How rows of a storage become items of a response. */
export type RowView<Row extends object, Item> = Readonly<{
  /** The item that shows a row. */
  view: (row: Row) => Item;
  /** Names a row in the log. */
  nameOf: (row: Row) => string;
}>;

/** The page that a client requests, and its size. */
type PageRequest = Readonly<{ page: number; limit: number }>;

/**
 * The rows of a page, as `offset` and `limit`; the storage cuts them out of the list and counts the list. A
 * page too far away for exact arithmetic starts where no list reaches.
 */
export const rangeOf = ({ page, limit }: PageRequest): Range => ({
  offset: Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER - limit),
  limit,
});

/**
 * The envelope (contract, section 2.4): `page` as requested, even beyond the last; no pages when there are no
 * items.
 */
export const pageInfo = ({ page, limit }: PageRequest, totalItems: number): PageInfo => ({
  page,
  limit,
  totalItems,
  totalPages: Math.ceil(totalItems / limit),
});

/** The rows of a page, and how many there are on all pages. */
export type PageRows<Row> = Readonly<{ rows: readonly Row[]; total: number }>;

/** Renders a page of rows with the page codec of an operation (contract, section 2.4). */
export const pageOfRows = <Row extends object, Item extends t.Mixed>(
  codec: PageCodec<Item>,
  { view, nameOf }: RowView<Row, t.TypeOf<Item>>,
  { rows, total }: PageRows<Row>,
  request: PageRequest,
): E.Either<ContractBroken, Rendered<PageCodec<Item>>> => {
  const page = { items: rows.map(view), ...pageInfo(request, total) };
  return pipe(
    render(codec, page),
    E.mapLeft((problems) => brokenPage(problems, rows, nameOf)),
  );
};

/** Names the first row that breaks the contract; if none does, what is wrong with the envelope. */
const brokenPage = <Row>(
  problems: readonly Problem[],
  rows: readonly Row[],
  nameOf: (row: Row) => string,
): ContractBroken => {
  const [list, index] = problems[0]?.path ?? [];
  const row = list === 'items' ? rows[Number(index)] : undefined;
  return row === undefined
    ? { _tag: 'ContractBroken', row: 'the total of the list', problems }
    : {
        _tag: 'ContractBroken',
        row: nameOf(row),
        problems: problems.filter(({ path }) => path[1] === index),
      };
};

/** How many pages of one set of rows are kept: those of several filters, for example. */
const maxPagesOfRows = 16;

/**
 * Renders pages as `pageOfRows` does, and keeps those of frozen sets of rows: a storage that returns the same
 * frozen object says that nothing has changed. `narrowed` leaves rows out; it depends on the query only.
 */
export const pageRenderer = <Row extends object, Item extends t.Mixed, Query extends PageRequest>(
  codec: PageCodec<Item>,
  items: RowView<Row, t.TypeOf<Item>>,
  keep: Keep,
  narrowed: (rows: PageRows<Row>, query: Query) => PageRows<Row> = (rows) => rows,
): ((rows: PageRows<Row>, query: Query) => E.Either<ContractBroken, Rendered<PageCodec<Item>>>) => {
  type Page = Readonly<{ query: Query; page: E.Right<Rendered<PageCodec<Item>>> }>;
  const kept = keep<PageRows<Row>, readonly Page[]>();
  return (rows, query) => {
    const pages = kept.get(rows) ?? [];
    for (const each of pages) if (isSameQuery(each.query, query)) return each.page;
    const page = pageOfRows(codec, items, narrowed(rows, query), query);
    if (E.isRight(page) && Object.isFrozen(rows)) {
      const all = [...pages, { query, page }].slice(-maxPagesOfRows);
      const weight = all.reduce((total, each) => total + each.page.right.weight, 0);
      kept.set(rows, all, weight);
    }
    return page;
  };
};

const isSameQuery = <Query extends object>(left: Query, right: Query): boolean =>
  left === right || (includes(left, right) && includes(right, left));

const includes = <Query extends object>(left: Query, right: Query): boolean => {
  for (const key in right) if (left[key] !== right[key]) return false;
  return true;
};
