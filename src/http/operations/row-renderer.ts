import type * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import type * as TE from '#fp-ts/TaskEither';
import type { Problem } from '../../contract/codecs/problem.js';
import type { ContractBroken } from './handler.js';
import { type Rendered, renderWith } from './rendered.js';

/** How rows of a storage become items of a response. */
export type RowView<Row extends object, C extends t.Mixed> = Readonly<{
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
