import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { ListName } from '../../client/operation-requests.js';
import { canonicalJson, isJsonEqual } from '../../common/canonical-json.js';
import { maxLimit } from '../../contract/parameters.js';
import type { Check } from '../check.js';
import type { CheckBlocked } from '../check-blocked.js';
import { allOf, type List, own, unusable, walk } from '../lists.js';
import { missingRows } from '../missing-rows.js';
import type { Reading } from '../reading.js';
import { textIn } from '../row.js';
import { asIn, type Case, notExercised, verdictOf, violation } from '../verdict.js';

/** A list in three pages and a bit, or the largest size that is not the one of the first reading. */
const inSmallPages = (
  reading: Reading,
  name: ListName,
  { rows }: List,
): TE.TaskEither<CheckBlocked, List> => {
  if (rows.length < 2) return TE.left(unusable(`two ${name}`));
  const limit = Math.min(maxLimit - 1, Math.max(1, Math.ceil(rows.length / 3.5)));
  return walk(reading, own(reading), name, [], limit);
};

const pagingChecksOf = (name: ListName): readonly Check[] => [
  {
    id: `${name}.paging.total-constant`,
    section: '2.4',
    level: 'must',
    statement: `${name}: totalItems is the same on every page`,
    compares: true,
    check: (reading) =>
      pipe(
        allOf(reading, name),
        TE.flatMap((list) => inSmallPages(reading, name, list)),
        TE.map(({ first, pages }) =>
          verdictOf(
            `more than one page of ${name}`,
            pages.slice(1).map(({ ask, envelope }): Case => {
              const expected = pages[0]?.envelope.totalItems;
              return isJsonEqual(envelope.totalItems, expected)
                ? null
                : violation(ask, ['totalItems'], `${expected}${asIn(first)}`, envelope.totalItems);
            }),
          ),
        ),
      ),
  },
  {
    id: `${name}.paging.total`,
    section: '2.4',
    level: 'must',
    statement: `${name}: totalItems is the number of items on all pages together`,
    compares: true,
    check: (reading) =>
      pipe(
        allOf(reading, name),
        TE.map(({ first, pages }) => {
          const items = pages.flatMap((page) => page.items).length;
          const total = pages[0]?.envelope.totalItems;
          if (items === 0 && total === 0) return notExercised(`one of ${name}`);
          return verdictOf('', [
            total === items ? null : violation(first, ['totalItems'], `${items}, as all pages hold`, total),
          ]);
        }),
      ),
  },
  {
    id: `${name}.paging.partition`,
    section: '2.4',
    level: 'must',
    statement: `${name}: pages of any size hold every item exactly once`,
    compares: true,
    check: (reading) =>
      pipe(
        TE.Do,
        TE.bind('large', () => allOf(reading, name)),
        TE.bind('small', ({ large }) => inSmallPages(reading, name, large)),
        TE.map(({ large, small }) =>
          verdictOf(`more than one page of ${name}`, [
            ...missingRows(large.rows, small.rows, 'an item that is on one of the pages', asIn(large.first)),
            ...missingRows(small.rows, large.rows, 'an item that is on one of the pages', asIn(small.first)),
          ]),
        ),
      ),
  },
];

/** Ids of findings name one finding each, so that none may come twice. */
const findingIds: Check = {
  id: 'findings.paging.ids',
  section: '2.2',
  level: 'must',
  statement: 'findings: no id comes twice on all pages together',
  compares: true,
  check: (reading) =>
    pipe(
      allOf(reading, 'findings'),
      TE.flatMap((large) =>
        pipe(
          inSmallPages(reading, 'findings', large),
          TE.map((small) =>
            verdictOf(
              'a finding',
              [large, small].flatMap(({ rows }) => {
                const ids = new Set<string>();
                return rows.map(({ value, from, path }): Case => {
                  const id = textIn(value, 'id') ?? canonicalJson(value.id);
                  if (ids.has(id))
                    return violation(from, [...path, 'id'], 'an id that did not come before', id);
                  ids.add(id);
                  return null;
                });
              }),
            ),
          ),
        ),
      ),
    ),
};

/** How lists are cut into pages (contract, sections 2.4, 4.2, 4.4 and 8). */
export const pagingChecks: readonly Check[] = [
  ...pagingChecksOf('findings'),
  findingIds,
  ...pagingChecksOf('prs'),
];
