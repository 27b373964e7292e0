import { PrStatus } from '../../contract/enums.js';
import { prStatusOf } from '../../contract/pr-status-of.js';
import { type Row, stringField } from '../json-rows.js';
import { both, eachOf, type List, list, mapped, type Need } from '../needs.js';

/** The status by which a pull request is found (contract, section 3.2). */
export const statusOf = ({ prState }: Row): PrStatus | null =>
  prState === null || typeof prState === 'string' ? prStatusOf(prState) : null;

/** All pull requests, and those that are found by one status. */
export type PrsByStatus = Readonly<{ all: List; status: string; found: List }>;

export const prsByStatus = (status: string): Need<PrsByStatus> =>
  mapped(both(list('prs'), list('prs', { query: { status } })), ([all, found]) => ({ all, status, found }));

/** The same for each status, each judged on its own. */
export const prsByEachStatus: Need<PrsByStatus> = eachOf(Object.keys(PrStatus.keys).map(prsByStatus));

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
