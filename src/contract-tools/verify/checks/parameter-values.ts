import { groupBy } from '../../../common/sort-and-group.js';
import { maxLimit } from '../../../contract/page-and-limit.js';
import { type Row, stringField } from '../json-rows.js';
import type { QueryValues } from '../requests.js';
import type { Factors, Rules } from './list-rules.js';

/** The most rows that a repository should have, so that its lists take few requests. */
const maxRows = 3 * maxLimit;

/** Two repositories, if there are: one with many rows, and one with few that are not all alike. */
const twoRepos = (rows: readonly (Row | undefined)[]): readonly Readonly<{ id: string; size: number }>[] => {
  const byRepo = groupBy(
    rows.filter((row) => row !== undefined),
    (row) => stringField(row, 'repoId'),
  );
  const repos = Array.from(byRepo).flatMap(([id, { length: size }]) =>
    id && size > 1 && size <= maxRows && byRepo.size > 1 ? [{ id, size }] : [],
  );
  const bySize = repos.sort((left, right) => right.size - left.size);
  const small = bySize.findLast(({ size }) => size > 5) ?? bySize.at(-1);
  return [...new Set([...bySize.slice(0, 1), ...(small === undefined ? [] : [small])])];
};

/** The pages that are asked for besides the first one. */
export const laterPages = [2, 3];

/** Pages after the first one show more than the first one, which is the default. */
export const factorsOf = ({ factors }: Rules, rows: readonly (Row | undefined)[]): Factors => {
  const repos = twoRepos(rows);
  const smallest = repos.at(-1)?.size ?? rows.length;
  return {
    repoId: repos.map(({ id }) => id),
    ...factors,
    page: laterPages,
    limit: [Math.max(1, Math.min(7, Math.floor(smallest / 3))), maxLimit],
  };
};

/** Every combination of values, each parameter being absent in some. */
export const product = (factors: Factors): readonly QueryValues[] =>
  Object.entries(factors).reduce<readonly QueryValues[]>(
    (queries, [name, values]) =>
      queries.flatMap((query) => [query, ...values.map((value) => ({ ...query, [name]: value }))]),
    [{}],
  );
