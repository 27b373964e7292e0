import * as E from 'fp-ts/lib/Either.js';
import type { Problem } from '../codecs/problem.js';
import type { ApiError } from './api-error.js';
import type { Rendered } from './rendered.js';

/** Says which row of the storage an answer breaks the contract with. */
export const contractBroken =
  (row: string) =>
  (problems: readonly Problem[]): ApiError => ({ _tag: 'ContractBroken', row, problems });

/** Renders rows in their order, or tells of the first that breaks the contract. `at` is its path inside the body. */
export const renderRows = <Row>(
  rows: readonly Row[],
  renderRow: (row: Row) => E.Either<readonly Problem[], Rendered>,
  nameOf: (row: Row) => string,
  at: readonly string[],
): E.Either<ApiError, readonly Rendered[]> => {
  const rendered: Rendered[] = [];
  for (const [index, row] of rows.entries()) {
    const result = renderRow(row);
    if (E.isLeft(result)) {
      const problems = result.left.map((p) => ({ ...p, path: [...at, String(index), ...p.path] }));
      return E.left(contractBroken(nameOf(row))(problems));
    }
    rendered.push(result.right);
  }
  return E.right(rendered);
};
