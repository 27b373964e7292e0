import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { prStatusOf } from '../../vocabulary/pr-status-of.js';
import { PrStatus } from '../../vocabulary/words.js';
import { bySession } from '../ask.js';
import { missingFrom } from '../bag.js';
import type { Check } from '../check.js';
import { allOf, type List, pageAsk, walk } from '../lists.js';
import type { Exchange, Reading } from '../reading.js';
import { type Row, type Seen, textIn } from '../row.js';
import type { Stop } from '../stop.js';
import { asIn, type Case, verdictOf, violation } from '../verdict.js';
import { judgePage } from './filtered.js';

const words = Object.keys(PrStatus.keys);

const own = ({ credentials }: Reading) => bySession(credentials.session);

/** The filter value that a pull request answers to (contract, section 3.2). */
const statusOf = ({ prState }: Row): string | null =>
  prState === null || typeof prState === 'string' ? prStatusOf(prState) : null;

type Filtered = Readonly<{ all: List; under: Readonly<Record<string, List>> }>;

/** All pull requests, and those under each of the three filter values. */
const filtered = (reading: Reading): TE.TaskEither<Stop, Filtered> =>
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

const nothing = ({ first }: List): List => ({ first, pages: [], rows: [] });

const check = (
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
      return missingFrom(list.rows, rows, `to be found${asIn(list.first)}`);
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

const totals = (list: List, expected: number, all: List): readonly Case[] =>
  list.pages.map(({ ask, envelope }) =>
    envelope.totalItems === expected
      ? null
      : violation(
          ask,
          ['totalItems'],
          `${expected}, as many as match${asIn(all.first)}`,
          envelope.totalItems,
        ),
  );

/** A repository whose pull requests differ in status, and one of those. */
const mixed = ({ rows }: List): Readonly<{ repoId: string; status: string }> | null => {
  for (const { value } of rows) {
    const repoId = textIn(value, 'repoId');
    const status = statusOf(value);
    const isMixed = rows.some((each) => each.value.repoId === repoId && statusOf(each.value) !== status);
    const isElsewhere = rows.some((each) => each.value.repoId !== repoId && statusOf(each.value) === status);
    if (repoId !== null && status !== null && isMixed && isElsewhere) return { repoId, status };
  }
  return null;
};

const judgeBoth = (all: List, { repoId, status }: { repoId: string; status: string }, exchange: Exchange) =>
  judgePage(exchange, (page) => {
    const expected = all.rows.filter(({ value }) => value.repoId === repoId && statusOf(value) === status);
    const total = page.envelope.totalItems;
    return [
      total === expected.length
        ? null
        : violation(page.ask, ['totalItems'], `${expected.length}${asIn(all.first)}`, total),
    ];
  });

/** status on pull requests: the mapping of stored states, and what is counted (contract, sections 3.2 and 4.4). */
export const prFilterChecks: readonly Check[] = [
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
  check(
    'filtered-totals',
    '4.4 rule 2',
    'totalItems counts what matches status',
    'pull requests that differ in status',
    ({ all, under }) =>
      Object.entries(under).flatMap(([word, list]) => {
        const matching = all.rows.filter(({ value }) => statusOf(value) === word).length;
        return matching === all.rows.length ? [] : totals(list, matching, all);
      }),
  ),
  {
    id: 'prs.filter-before-paging',
    section: '4.4 rule 2',
    level: 'must',
    statement: 'prs: pages are cut from what matches status, so that every page but the last is full',
    compares: true,
    check: (reading) =>
      pipe(
        filtered(reading),
        TE.flatMap(({ all, under }) => {
          const telling = Object.entries(under).filter(
            ([, { rows }]) => rows.length > 1 && rows.length < all.rows.length,
          );
          return TE.sequenceArray(
            telling.map(([word, { rows }]) => {
              const limit = Math.min(100, Math.ceil(rows.length / 2));
              return pipe(
                reading.ask(pageAsk('prs', 1, limit, [['status', word]], own(reading))),
                TE.map((exchange) =>
                  judgePage(exchange, ({ ask, items }) => [
                    items.length === limit ? null : violation(ask, ['items'], `${limit} items`, items.length),
                  ]),
                ),
              );
            }),
          );
        }),
        TE.map((cases) => verdictOf('two pull requests of one status, and one of another', cases.flat())),
      ),
  },
  {
    id: 'prs.repo-id-and-status',
    section: '4.4 rule 2',
    level: 'must',
    statement: 'prs: repoId and status together count what matches both',
    compares: true,
    check: (reading) =>
      pipe(
        allOf(reading, 'prs'),
        TE.flatMap((all) => {
          const both = mixed(all);
          if (both === null) return TE.right([]);
          const { repoId, status } = both;
          return pipe(
            reading.ask(
              pageAsk(
                'prs',
                1,
                100,
                [
                  ['repoId', repoId],
                  ['status', status],
                ],
                own(reading),
              ),
            ),
            TE.map((exchange) => judgeBoth(all, both, exchange)),
          );
        }),
        TE.map((cases) =>
          verdictOf('a repository with pull requests of different status, and another one', cases),
        ),
      ),
  },
];
