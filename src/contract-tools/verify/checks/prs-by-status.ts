import { PrStatus, prStatusOf } from '../../../contract/enums.js';
import { type Row, stringField } from '../json-rows.js';
import { type List, list, sampledList } from '../list-needs.js';
import { both, derived, eachOf, mapped, type Need } from '../need.js';
import type { QueryValues } from '../requests.js';
import { smallQueries } from '../small-queries.js';

/** The status by which a pull request is found (contract, section 3.2). */
export const statusOf = ({ prState }: Row): PrStatus | null =>
  prState === null || typeof prState === 'string' ? prStatusOf(prState) : null;

/** All pull requests, and those that are found by one status. */
export type PrsByStatus = Readonly<{ all: List; query: QueryValues; status: string; found: List }>;

/** Of a large list, those of a repository: `repoId` narrows both sides alike. */
export const prsByStatus = (status: string): Need<PrsByStatus> =>
  derived(smallQueries('prs'), (query) =>
    mapped(both(list('prs', { query }), list('prs', { query: { ...query, status } })), ([all, found]) => ({
      all,
      query,
      status,
      found,
    })),
  );

/** The same for each status, each judged on its own. */
export const prsByEachStatus: Need<PrsByStatus> = eachOf(Object.keys(PrStatus.keys).map(prsByStatus));

/** The same, but of a large list a part of either side. It shows what a status finds that it should not. */
export const sampledPrsByStatus = (status: string): Need<PrsByStatus> =>
  derived(sampledList('prs'), (all) =>
    all.isWhole
      ? prsByStatus(status)
      : mapped(sampledList('prs', { query: { status } }), (found) => ({ all, query: {}, status, found })),
  );

/** A repository and a status, each of which finds more pull requests alone than both find together. */
export const selectivePrFilter = ({ rows }: List): Readonly<{ repoId: string; status: string }> | undefined =>
  rows
    .flatMap(({ value }) => {
      const [repoId, status] = [stringField(value, 'repoId'), statusOf(value)];
      return repoId === null || status === null ? [] : [{ repoId, status }];
    })
    .find(
      ({ repoId, status }) =>
        rows.some(({ value }) => value.repoId === repoId && statusOf(value) !== status) &&
        rows.some(({ value }) => value.repoId !== repoId && statusOf(value) === status),
    );
