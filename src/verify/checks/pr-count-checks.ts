import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { describeRequest } from '../../client/api-request.js';
import { pageRequest } from '../../client/operation-requests.js';
import type { Check } from '../check.js';
import { allOf, type List, own } from '../lists.js';
import type { Exchange } from '../reading.js';
import { textIn } from '../row.js';
import { asIn, type Case, verdictOf, violation } from '../verdict.js';
import { judgePage } from './filtered.js';
import { check, filtered, statusOf } from './prs-by-status.js';

const totals = (list: List, expected: number, all: List): readonly Case[] =>
  list.pages.map(({ ask, envelope }) =>
    envelope.totalItems === expected
      ? null
      : violation(
          ask,
          ['totalItems'],
          `${expected}, as many as match in ${describeRequest(all.first)}`,
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

/** What is counted and cut into pages under status (contract, section 4.4, rule 2). */
export const prCountChecks: readonly Check[] = [
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
                reading.ask(pageRequest('prs', 1, limit, [['status', word]], own(reading))),
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
              pageRequest(
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
