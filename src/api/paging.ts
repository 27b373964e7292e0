import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import type * as t from 'io-ts';
import type { Keep } from '../common/kept-values.js';
import type { PageCodec, PageInfo } from '../contract/page.js';
import type { Range } from '../storage/port.js';
import type { ContractBroken } from './handler.js';
import { type Rendered, renderPage } from './rendered.js';
import type { RowRenderer } from './row-renderer.js';

/** The page that a client requests, and its size. */
export type PageRequest = Readonly<{ page: number; limit: number }>;

/**
 * The rows of a page; the storage cuts them out of the list and counts the list. A page too far away for
 * exact arithmetic starts where no list reaches.
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
  renderer: RowRenderer<Row, Item>,
  { rows, total }: PageRows<Row>,
  request: PageRequest,
): E.Either<ContractBroken, Rendered<PageCodec<Item>>> =>
  pipe(
    renderer.all(rows, ['items']),
    E.flatMap((items) =>
      pipe(
        renderPage(codec, items, pageInfo(request, total)),
        E.mapLeft(
          (problems): ContractBroken => ({ _tag: 'ContractBroken', row: 'the total of the list', problems }),
        ),
      ),
    ),
  );

/**
 * Renders pages as `pageOfRows` does, and keeps those of frozen sets of rows: a storage that returns the same
 * frozen object says that nothing has changed. Pages are kept by the identity of the query, because the same
 * request is decoded to the same object. `narrowed` leaves rows out, and depends on nothing else.
 */
export const pageRenderer = <Row extends object, Item extends t.Mixed, Query extends PageRequest>(
  codec: PageCodec<Item>,
  renderer: RowRenderer<Row, Item>,
  keep: Keep,
  narrowed: (rows: PageRows<Row>, query: Query) => PageRows<Row> = (rows) => rows,
): ((rows: PageRows<Row>, query: Query) => E.Either<ContractBroken, Rendered<PageCodec<Item>>>) => {
  type Pages = ReadonlyMap<Query, E.Right<Rendered<PageCodec<Item>>>>;
  const kept = keep<PageRows<Row>, Pages>();
  return (rows, query) => {
    const pages = kept.get(rows);
    const known = pages?.get(query);
    if (known !== undefined) return known;
    const result = pageOfRows(codec, renderer, narrowed(rows, query), query);
    if (E.isRight(result) && Object.isFrozen(rows)) {
      const all = new Map([...(pages ?? []), [query, result] as const].slice(-maxPagesOfRows));
      kept.set(rows, all, sum(all.values()));
    }
    return result;
  };
};

/** How many pages of one set of rows are kept: those of several filters, for example. */
const maxPagesOfRows = 16;

const sum = (pages: Iterable<E.Right<Rendered<t.Mixed>>>): number => {
  let total = 0;
  for (const { right } of pages) total += right.weight;
  return total;
};
