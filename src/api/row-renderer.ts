import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import type * as t from 'io-ts';
import type { Problem } from '../codecs/problem.js';
import type { Keep } from '../common/kept-values.js';
import type { ContractBroken } from './handler.js';
import { type Rendered, renderWith } from './rendered.js';

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
export type RowRenderer<Row extends object, C extends t.Mixed> = Readonly<{
  one: (row: Row) => E.Either<ContractBroken, Rendered<C>>;
  /** `at` is the path of the list inside the response body. */
  all: (
    rows: readonly Row[],
    at: readonly string[],
    textOf?: (row: Row) => string,
  ) => E.Either<ContractBroken, readonly Rendered<C>[]>;
  /** The same for a list of any length: other requests have their turn in between. */
  allInTurns: (
    rows: readonly Row[],
    at: readonly string[],
    textOf?: (row: Row) => string,
  ) => TE.TaskEither<ContractBroken, readonly Rendered<C>[]>;
}>;

/** How many rows are rendered without a pause: some milliseconds of work. */
const rowsPerTurn = 200;

/**
 * Renders rows, and keeps the JSON of frozen rows: what cannot have changed is not validated again. A row is
 * rendered anew when the text that it is shown with has changed.
 */
export const rowRenderer = <Row extends object, C extends t.Mixed>(
  { codec, view, nameOf }: RowView<Row, C>,
  keep: Keep,
): RowRenderer<Row, C> => {
  const render = renderWith(codec);
  const kept = keep<Row, Readonly<{ text: string; rendered: Rendered<C> }>>();

  const renderRow = (row: Row, text: string): E.Either<readonly Problem[], Rendered<C>> => {
    const known = kept.get(row);
    if (known?.text === text) return E.right(known.rendered);
    const result = render(view(row, text));
    if (E.isRight(result) && Object.isFrozen(row)) {
      kept.set(row, { text, rendered: result.right }, result.right.weight);
    }
    return result;
  };
  const broken = (row: Row, problems: readonly Problem[]): ContractBroken => ({
    _tag: 'ContractBroken',
    row: nameOf(row),
    problems,
  });

  const all: RowRenderer<Row, C>['all'] = (rows, at, textOf) => allFrom(0, rows, at, textOf);
  const allFrom = (
    first: number,
    rows: readonly Row[],
    at: readonly string[],
    textOf: (row: Row) => string = () => '',
  ): E.Either<ContractBroken, readonly Rendered<C>[]> => {
    const items: Rendered<C>[] = [];
    for (const [index, row] of rows.entries()) {
      const result = renderRow(row, textOf(row));
      if (E.isLeft(result)) {
        const located = result.left.map((p) => ({ ...p, path: [...at, String(first + index), ...p.path] }));
        return E.left(broken(row, located));
      }
      items.push(result.right);
    }
    return E.right(items);
  };

  return {
    all,
    allInTurns: (rows, at, textOf) => async () => {
      const items: Rendered<C>[] = [];
      for (let first = 0; first < rows.length; first += rowsPerTurn) {
        if (first > 0) await new Promise((resolve) => setImmediate(resolve));
        const some = allFrom(first, rows.slice(first, first + rowsPerTurn), at, textOf);
        if (E.isLeft(some)) return some;
        items.push(...some.right);
      }
      return E.right(items);
    },
    one: (row) => {
      const result = renderRow(row, '');
      return E.isLeft(result) ? E.left(broken(row, result.left)) : result;
    },
  };
};
