import type { Check } from '../check.js';
import { missingRows } from '../missing-rows.js';
import type { Seen } from '../row.js';
import { asIn, violation } from '../verdict.js';
import { check, nothing, statusOf } from './prs-by-status.js';

/** That all pull requests of a state are found under the filter value it maps to. */
const foundUnder = (state: string | null, word: string): Check =>
  check(
    `status.${word}.finds-${state ?? 'null'}`,
    '3.2',
    `status=${word} finds those whose prState is ${JSON.stringify(state)}`,
    `a pull request whose prState is ${JSON.stringify(state)}`,
    ({ all, under }) => {
      const list = under[word] ?? nothing(all);
      const rows = all.rows.filter(({ value }) => value.prState === state);
      return missingRows(list.rows, rows, `to be found${asIn(list.first)}`);
    },
  );

/** That nothing else is found there. */
const nothingElseUnder = (word: string): Check =>
  check(
    `status.${word}.only`,
    '3.2',
    `status=${word} finds nothing whose prState is another word of the mapping`,
    `a pull request that is ${word}, and one that is not`,
    ({ all, under }) => {
      const isOther = ({ value }: Seen): boolean => statusOf(value) !== null && statusOf(value) !== word;
      const rows = under[word]?.rows ?? [];
      if (rows.length === 0 || !all.rows.some(isOther)) return [];
      return rows.map((row) =>
        isOther(row)
          ? violation(row.from, [...row.path, 'prState'], `a state that maps to ${word}`, row.value.prState)
          : null,
      );
    },
  );

/** What status finds, by the mapping of stored states (contract, section 3.2). */
export const prStatusChecks: readonly Check[] = [
  foundUnder('open', 'open'),
  nothingElseUnder('open'),
  foundUnder('merged', 'merged'),
  nothingElseUnder('merged'),
  foundUnder(null, 'closed'),
  foundUnder('closed', 'closed'),
  foundUnder('cancelled', 'closed'),
  nothingElseUnder('closed'),
  check(
    'status.other-states',
    '3.2',
    'a prState that the mapping does not have is found under no status, letter case counts',
    'a pull request whose prState is a word that the mapping does not have',
    ({ all, under }) => {
      const others = all.rows.filter(({ value }) => statusOf(value) === null);
      if (others.length === 0) return [];
      return Object.entries(under).flatMap(([word, { rows }]) =>
        rows.length === 0
          ? [null]
          : rows.map((row) =>
              statusOf(row.value) === null
                ? violation(
                    row.from,
                    [...row.path, 'prState'],
                    `a state that maps to ${word}`,
                    row.value.prState,
                  )
                : null,
            ),
      );
    },
  ),
];
