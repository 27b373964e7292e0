import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Problem } from '../codecs/problem.js';
import type { ApiError } from './api-error.js';
import { type Asked, figuresOf } from './paging.js';
import { contractBroken, renderRows } from './render-rows.js';
import { type Rendered, renderPage } from './rendered.js';

/** The page envelope (contract, section 2.4) around rows; `total` is what it counts, whatever rows are shown. */
export const pageOfRows = <Row>(
  asked: Asked,
  total: number,
  rows: readonly Row[],
  renderRow: (row: Row) => E.Either<readonly Problem[], Rendered>,
  nameOf: (row: Row) => string,
): E.Either<ApiError, Rendered> =>
  pipe(
    renderRows(rows, renderRow, nameOf, ['items']),
    E.flatMap((items) =>
      pipe(renderPage(items, figuresOf(asked, total)), E.mapLeft(contractBroken('the total of the list'))),
    ),
  );
