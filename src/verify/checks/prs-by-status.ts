import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { PrStatus } from '../../contract/enums.js';
import { prStatusOf } from '../../contract/pr-status-of.js';
import type { Check } from '../check.js';
import type { CheckBlocked } from '../check-blocked.js';
import { allOf, type List, own, walk } from '../lists.js';
import type { Reading } from '../reading.js';
import type { Row } from '../row.js';
import { type Case, verdictOf } from '../verdict.js';

const words = Object.keys(PrStatus.keys);

/** The filter value that a pull request answers to (contract, section 3.2). */
export const statusOf = ({ prState }: Row): string | null =>
  prState === null || typeof prState === 'string' ? prStatusOf(prState) : null;

/** All of them, and those under each filter value. */
export type Filtered = Readonly<{ all: List; under: Readonly<Record<string, List>> }>;

/** All pull requests, and those under each of the three filter values. */
export const filtered = (reading: Reading): TE.TaskEither<CheckBlocked, Filtered> =>
  pipe(
    TE.Do,
    TE.apS('all', allOf(reading, 'prs')),
    TE.apS(
      'lists',
      TE.sequenceArray(words.map((word) => walk(reading, own(reading), 'prs', [['status', word]]))),
    ),
    TE.map(({ all, lists }) => ({
      all,
      under: Object.fromEntries(words.map((word, index) => [word, lists[index] ?? nothing(all)])),
    })),
  );

/** A list without rows, in place of one that is not there. */
export const nothing = ({ first }: List): List => ({ first, pages: [], rows: [] });

/** A check of what is found under the three filter values. */
export const check = (
  id: string,
  section: string,
  statement: string,
  needed: string,
  judge: (filtered: Filtered) => readonly Case[],
): Check => ({
  id: `prs.${id}`,
  section,
  level: 'must',
  statement: `prs: ${statement}`,
  compares: true,
  check: (reading) =>
    pipe(
      filtered(reading),
      TE.map((found) => verdictOf(needed, judge(found))),
    ),
});
