import { groupBy } from '../../common/sort-and-group.js';
import { maxLimit } from '../../contract/page-and-limit.js';
import { coveringSet } from './covering-set.js';
import { idsIn, integerField, type Located, stringField } from './json-rows.js';
import { type List, maxPages, sampledList } from './list-needs.js';
import { constant, derived, firstOf, mapped, type Need, optional, split, together } from './need.js';
import { type Page, page } from './request-needs.js';
import { type ListName, listRequest, type QueryValues } from './requests.js';

/** How many repositories are tried for a list that is small enough, and how many of them are taken. */
const maxTries = 8;
const maxQueries = 3;

/**
 * Queries that narrow a list to so few rows that it is fetched completely, each to be judged on its own: a
 * single one without effect if the list is small, else repositories that together have rows of as many kinds
 * as possible, the one with the most kinds first. If there is none, it is the query without effect, and the
 * list is only sampled.
 */
export const smallQueries = (name: ListName): Need<QueryValues> =>
  derived(sampledList(name), (all) => {
    if (all.isWhole) return constant<QueryValues>({});
    const tries = mixedRepos(all)
      .slice(0, maxTries)
      .map((repo) =>
        mapped(
          optional(page(listRequest(name, { repoId: repo.id, page: 1, limit: maxLimit })), null),
          (first) => (first !== null && isSmall(first) ? [repo] : []),
        ),
      );
    return split(together(tries), (found): readonly QueryValues[] => {
      const chosen = coveringSet(found.flat(), ({ kinds }) => kinds).slice(0, maxQueries);
      return chosen.length === 0 ? [{}] : chosen.map(({ id }) => ({ repoId: id }));
    });
  });

/** The first of these queries. */
export const smallQuery = (name: ListName): Need<QueryValues> => firstOf(smallQueries(name), {});

/** A repository, and the kinds of rows that a sample shows of it. */
type SampledRepo = Readonly<{ id: string; kinds: readonly string[] }>;

/**
 * Repositories that probably have few enough rows, as a sample suggests, those with the most kinds of rows
 * first.
 */
const mixedRepos = ({ rows, pages: [first] }: List): readonly SampledRepo[] => {
  const total = integerField(first?.value ?? {}, 'totalItems') ?? 0;
  const fewEnough = (0.8 * maxPages * maxLimit * rows.length) / total;
  const ofRepo = groupBy(rows, ({ value }) => stringField(value, 'repoId'));
  return repoIdsByRows(rows)
    .map((id) => ({ id, found: ofRepo.get(id) ?? [] }))
    .filter(({ found }) => found.length <= fewEnough)
    .map(({ id, found }) => ({ id, kinds: kindsOf(found) }))
    .sort((left, right) => right.kinds.length - left.kinds.length);
};

const isSmall = ({ value, items }: Page): boolean =>
  items.length > 1 && (integerField(value, 'totalItems') ?? 0) <= maxPages * maxLimit;

const kindsOf = (rows: readonly Located[]): readonly string[] => [
  ...new Set(
    rows.map(({ value: { severity, status, prState } }) => JSON.stringify([severity, status, prState])),
  ),
];

/** The ids of the repositories that rows belong to, those with the fewest rows first. */
export const repoIdsByRows = (rows: readonly Located[]): readonly string[] =>
  Array.from(groupBy(idsIn(rows, 'repoId'), (id) => id))
    .sort(([, left], [, right]) => left.length - right.length)
    .map(([id]) => id);
