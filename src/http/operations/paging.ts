import type * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import type * as TE from '#fp-ts/TaskEither';
import type { Keep } from '../../common/kept-values.js';
import type { Problem } from '../../contract/codecs/problem.js';
import type { PageCodec, PageInfo } from '../../contract/page-and-limit.js';
import type { Range } from '../../storage/port.js';
import type { ContractBroken } from './handler.js';
import { type Rendered, renderPagesWith, renderWith } from './rendered.js';

/** How rows of a storage become items of a response. */
type RowView<Row extends object, C extends t.Mixed> = Readonly<{
  /** The codec of an item. */
  codec: C;
  /** The item that shows a row; `text` is what it shows besides the row. */
  view: (row: Row, text: string) => t.TypeOf<C>;
  /** Names a row in the log. */
  nameOf: (row: Row) => string;
}>;

/**
 * Renders rows; `left` names the first row that breaks the contract, and the place inside the response body.
 */
type RowRenderer<Row extends object, C extends t.Mixed> = Readonly<{
  one: (row: Row) => E.Either<ContractBroken, Rendered<C>>;
  /** All rows of a list of any length: other requests have their turn in between. */
  allInTurns: (
    rows: readonly Row[],
    textOf: (row: Row) => string,
  ) => TE.TaskEither<ContractBroken, readonly Rendered<C>[]>;
}>;

/** How many rows are rendered without a pause: some milliseconds of work. */
const rowsPerTurn = 200;

export const rowRenderer = <Row extends object, C extends t.Mixed>({
  codec,
  view,
  nameOf,
}: RowView<Row, C>): RowRenderer<Row, C> => {
  const render = renderWith(codec);
  const broken = (row: Row, problems: readonly Problem[]): ContractBroken => ({
    _tag: 'ContractBroken',
    row: nameOf(row),
    problems,
  });
  return {
    one: (row) => E.mapLeft((problems: readonly Problem[]) => broken(row, problems))(render(view(row, ''))),
    allInTurns: (rows, textOf) => async () => {
      const items: Rendered<C>[] = [];
      for (const [index, row] of rows.entries()) {
        if (index > 0 && index % rowsPerTurn === 0) await new Promise((resolve) => setImmediate(resolve));
        const item = render(view(row, textOf(row)));
        if (E.isLeft(item)) {
          return E.left(
            broken(
              row,
              item.left.map((p) => ({ ...p, path: [String(index), ...p.path] })),
            ),
          );
        }
        items.push(item.right);
      }
      return E.right(items);
    },
  };
};

/** The page that a client requests, and its size. */
type PageRequest = Readonly<{ page: number; limit: number }>;

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
  { view, nameOf }: RowView<Row, Item>,
  { rows, total }: PageRows<Row>,
  request: PageRequest,
  renderPage = renderPagesWith(codec),
): E.Either<ContractBroken, Rendered<PageCodec<Item>>> =>
  pipe(
    renderPage({ items: rows.map((row) => view(row, '')), info: pageInfo(request, total) }),
    E.mapLeft((problems) => brokenPage(problems, rows, nameOf)),
  );

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

/**
 * Renders pages as `pageOfRows` does, and keeps those of frozen sets of rows: a storage that returns the same
 * frozen object says that nothing has changed. `narrowed` leaves rows out; it depends on the query only.
 */
export const pageRenderer = <Row extends object, Item extends t.Mixed, Query extends PageRequest>(
  codec: PageCodec<Item>,
  items: RowView<Row, Item>,
  keep: Keep,
  narrowed: (rows: PageRows<Row>, query: Query) => PageRows<Row> = (rows) => rows,
): ((rows: PageRows<Row>, query: Query) => E.Either<ContractBroken, Rendered<PageCodec<Item>>>) => {
  type Page = Readonly<{ query: Query; page: E.Right<Rendered<PageCodec<Item>>>; weight: number }>;
  const renderPage = renderPagesWith(codec);
  const kept = keep<PageRows<Row>, readonly Page[]>();
  return (rows, query) => {
    const pages = kept.get(rows) ?? [];
    for (const each of pages) if (isSameQuery(each.query, query)) return each.page;
    const page = pageOfRows(codec, items, narrowed(rows, query), query, renderPage);
    if (E.isRight(page) && Object.isFrozen(rows)) {
      const all = [...pages, { query, page, weight: page.right.keep() }].slice(-maxPagesOfRows);
      kept.set(
        rows,
        all,
        all.reduce((total, { weight }) => total + weight, 0),
      );
    }
    return page;
  };
};

/** How many pages of one set of rows are kept: those of several filters, for example. */
const maxPagesOfRows = 16;

const isSameQuery = <Query extends object>(left: Query, right: Query): boolean =>
  left === right || (includes(left, right) && includes(right, left));

const includes = <Query extends object>(left: Query, right: Query): boolean => {
  for (const key in right) if (left[key] !== right[key]) return false;
  return true;
};
