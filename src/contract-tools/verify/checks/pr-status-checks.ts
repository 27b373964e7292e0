import { PrStatus } from '../../../contract/enums.js';
import { areAmong, asIn, violation } from '../cases.js';
import { type Check, must } from '../check.js';
import type { Located } from '../json-rows.js';
import { eachOf } from '../need.js';
import type { Case } from '../verdict.js';
import { prsByStatus, sampledPrsByStatus, statusOf } from './prs-by-status.js';

/** A status finds all pull requests of a state that maps to it. */
const finds = (status: PrStatus, state: string | null): Check =>
  must(
    `prs.status.${status}.finds-${state ?? 'null'}`,
    '3.2',
    `prs: status=${status} finds those whose prState is ${JSON.stringify(state)}`,
    prsByStatus(status),
    ({ all, found }) =>
      areAmong(
        all.rows.filter(({ value }) => value.prState === state),
        found.rows,
        `to be found${asIn(found.first)}`,
      ),
    `a pull request whose prState is ${JSON.stringify(state)}`,
  );

/** A status finds no others. Free-form states are left to a check of their own. */
const findsOnly = (status: PrStatus): Check =>
  must(
    `prs.status.${status}.only`,
    '3.2',
    `prs: status=${status} finds none whose prState maps to another status`,
    sampledPrsByStatus(status),
    ({ all, found }) => {
      const isOther = ({ value }: Located) => statusOf(value) !== null && statusOf(value) !== status;
      return all.rows.some(isOther) ? found.rows.map((row) => mapsTo(status, row, !isOther(row))) : [];
    },
    `a pull request that is ${status}, and one that is not`,
  );

const mapsTo = (status: string, row: Located, isRight: boolean): Case =>
  isRight ? null : violation(row, `a state that maps to ${status}`, row.value.prState, 'prState');

/** Which stored states each status finds (contract, section 3.2). */
export const prStatusChecks: readonly Check[] = [
  finds('open', 'open'),
  findsOnly('open'),
  finds('merged', 'merged'),
  findsOnly('merged'),
  finds('closed', null),
  finds('closed', 'closed'),
  finds('closed', 'cancelled'),
  findsOnly('closed'),
  must(
    'prs.status.other-states',
    '3.2',
    'prs: a prState that maps to no status is found by none; letter case matters',
    eachOf(Object.keys(PrStatus.keys).map(sampledPrsByStatus)),
    ({ all, status, found }) => {
      if (all.rows.every(({ value }) => statusOf(value) !== null)) return [];
      return [null, ...found.rows.map((row) => mapsTo(status, row, statusOf(row.value) !== null))];
    },
    'a pull request whose prState maps to no status',
  ),
];
