import { maxLimit } from '../../../contract/page-and-limit.js';
import { areAmong, areUnique, asIn, fieldIs } from '../cases.js';
import { type Check, must } from '../check.js';
import { type List, list, sampledList } from '../list-needs.js';
import { derived, eachOf, mapped, type Need, split } from '../need.js';
import type { ListName } from '../requests.js';
import { smallQuery } from '../small-queries.js';

/**
 * The whole list twice: in pages of the largest size, and in smaller ones. A large list is narrowed to one
 * repository.
 */
type TwoSizes = Readonly<{ large: List; small: List }>;

/** The smaller pages are about three and a half, or as large as possible without repeating the large ones. */
const inTwoSizes = (name: ListName): Need<TwoSizes> =>
  derived(smallQuery(name), (query) =>
    derived(list(name, { query }), (large) => {
      if (large.rows.length < 2) return eachOf<TwoSizes>([]);
      const limit = Math.min(maxLimit - 1, Math.ceil(large.rows.length / 3.5));
      return mapped(list(name, { query, limit }), (small) => ({ large, small }));
    }),
  );

/** The list as it is looked at, and a small part of it that is whole. */
const sampleAndPart = (name: ListName): Need<List> =>
  eachOf([sampledList(name), split(inTwoSizes(name), ({ large, small }) => [large, small])]);

const pagingChecksOf = (name: ListName): readonly Check[] => [
  must(
    `${name}.paging.total-constant`,
    '2.4',
    `${name}: totalItems is the same on every page`,
    sampleAndPart(name),
    ({ first, pages }) =>
      pages.slice(1).map((page) => fieldIs(page, 'totalItems', pages[0]?.value.totalItems, asIn(first))),
    `more than one page of ${name}`,
  ),
  must(
    `${name}.paging.total`,
    '2.4',
    `${name}: totalItems is the number of items on all pages together`,
    derived(smallQuery(name), (query) => list(name, { query })),
    ({ pages }) => {
      const count = pages.flatMap(({ items }) => items).length;
      return pages
        .slice(0, 1)
        .filter(({ value }) => count > 0 || value.totalItems !== 0)
        .map((page) => fieldIs(page, 'totalItems', count, ', the number of items on all pages'));
    },
    `one of ${name}`,
  ),
  must(
    `${name}.paging.partition`,
    '2.4',
    `${name}: pages of any size contain every item exactly once`,
    inTwoSizes(name),
    ({ large, small }) => [
      ...areAmong(small.rows, large.rows, `an item of the list${asIn(large.first)}`),
      ...areAmong(large.rows, small.rows, `an item of the list${asIn(small.first)}`),
    ],
    `more than one page of ${name}`,
  ),
];

/** How lists are divided into pages (contract, sections 2.4, 4.2, 4.4 and 8). */
export const pagingChecks: readonly Check[] = [
  ...pagingChecksOf('findings'),
  must(
    'findings.paging.ids',
    '2.2',
    'findings: no id occurs twice on all pages together',
    sampleAndPart('findings'),
    ({ rows }) => (rows.length < 2 ? [] : areUnique(rows, 'id')),
    'more than one page of findings',
  ),
  ...pagingChecksOf('prs'),
];
