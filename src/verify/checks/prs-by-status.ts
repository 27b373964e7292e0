import { PrStatus } from '../../contract/enums.js';
import { prStatusOf } from '../../contract/pr-status-of.js';
import type { Row } from '../json-rows.js';
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
