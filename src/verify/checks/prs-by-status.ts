import { PrStatus } from '../../contract/enums.js';
import { prStatusOf } from '../../contract/pr-status-of.js';
import type { Row } from '../json-rows.js';
import { both, derived, eachOf, type List, list, mapped, type Need, smallQuery } from '../needs.js';
import type { QueryValues } from '../requests.js';

/** The status by which a pull request is found (contract, section 3.2). */
export const statusOf = ({ prState }: Row): PrStatus | null =>
  prState === null || typeof prState === 'string' ? prStatusOf(prState) : null;

/** All pull requests, and those that are found by one status. */
export type PrsByStatus = Readonly<{ all: List; query: QueryValues; status: string; found: List }>;

/** Of a large list, those of one repository: `repoId` narrows both sides alike. */
export const prsByStatus = (status: string): Need<PrsByStatus> =>
  derived(smallQuery('prs'), (query) =>
    mapped(both(list('prs', { query }), list('prs', { query: { ...query, status } })), ([all, found]) => ({
      all,
      query,
      status,
      found,
    })),
  );

/** The same for each status, each judged on its own. */
export const prsByEachStatus: Need<PrsByStatus> = eachOf(Object.keys(PrStatus.keys).map(prsByStatus));
