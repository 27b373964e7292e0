import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import type * as t from 'io-ts';
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
 * Renders pages as `pageOfRows` does, and keeps the last page of each frozen set of rows: a storage that
 * returns the same frozen object says that nothing has changed.
 */
export const pageRenderer = <Row extends object, Item extends t.Mixed>(
  codec: PageCodec<Item>,
  renderer: RowRenderer<Row, Item>,
): ((rows: PageRows<Row>, request: PageRequest) => E.Either<ContractBroken, Rendered<PageCodec<Item>>>) => {
  type Kept = PageRequest & Readonly<{ rendered: Rendered<PageCodec<Item>> }>;
  const kept = new WeakMap<PageRows<Row>, Kept>();
  return (rows, { page, limit }) => {
    const known = kept.get(rows);
    if (known?.page === page && known.limit === limit) return E.right(known.rendered);
    const result = pageOfRows(codec, renderer, rows, { page, limit });
    if (E.isRight(result) && Object.isFrozen(rows)) kept.set(rows, { page, limit, rendered: result.right });
    return result;
  };
};
