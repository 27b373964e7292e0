import { groupBy } from '../../../common/sort-and-group.js';
import { operations } from '../../../contract/operations.js';
import { defaultLimit, defaultPage, maxLimit, PageInfo } from '../../../contract/page-and-limit.js';
import {
  areAmong,
  areUnique,
  asIn,
  type Case,
  type Cases,
  type Check,
  type CheckLevel,
  checkAt,
  fieldIs,
  hasItems,
  hasOnlyFields,
  hasSameItems,
  inside,
  itemValues,
  must,
  onPage,
  since,
  violation,
  wrongField,
} from '../check.js';
import { type List, list, pagesSoFar, sampledList, smallQuery } from '../lists.js';
import { both, derived, eachOf, mapped, type Need, split } from '../need.js';
import {
  asPage,
  type Exchange,
  type ListName,
  listNames,
  listRequest,
  listSection,
  type Page,
  page,
  prStatusFilters,
  type QueryValues,
  response,
  sampled,
} from '../requests.js';
import { integerField, type Located, stringField } from '../rows.js';

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
  must(`${name}.paging.total-constant`, '2.4', `${name}: totalItems is the same on every page`)(
    sampleAndPart(name),
    ({ first, pages }) =>
      pages.slice(1).map((page) => fieldIs(page, 'totalItems', pages[0]?.value.totalItems, asIn(first))),
    `more than one page of ${name}`,
  ),
  must(`${name}.paging.total`, '2.4', `${name}: totalItems is the number of items on all pages together`)(
    derived(smallQuery(name), (query) => list(name, { query })),
    ({ pages }) => {
      const count = pages.flatMap(({ items }) => items).length;
      return pages
        .slice(0, 1)
        .filter(({ value }) => count > 0 || value.totalItems !== 0)
        .map((page) => fieldIs(page, 'totalItems', count, since('the number of items on all pages')));
    },
    `one of ${name}`,
  ),
  must(`${name}.paging.partition`, '2.4', `${name}: pages of any size contain every item exactly once`)(
    inTwoSizes(name),
    ({ large, small }) => [
      ...areAmong(small.rows, large.rows, 'an item of the list', asIn(large.first)),
      ...areAmong(large.rows, small.rows, 'an item of the list', asIn(small.first)),
    ],
    `more than one page of ${name}`,
  ),
];

/** How lists are divided into pages (contract, sections 2.4, 4.2, 4.4 and 8). */
export const pagingChecks: readonly Check[] = [
  ...pagingChecksOf('findings'),
  must('findings.paging.ids', '2.2', 'findings: no id occurs twice on all pages together')(
    sampleAndPart('findings'),
    ({ rows }) => (rows.length < 2 ? [] : areUnique(rows, 'id')),
    'more than one page of findings',
  ),
  ...pagingChecksOf('prs'),
];

/** No page is larger than the maximum, whichever size was requested. */
const keepsMaximum = (exchange: Exchange): Cases => {
  const { status } = exchange.response;
  // The contract does not say what happens above the maximum: refusing it keeps the maximum, too.
  if (asPage(exchange) === null)
    return status >= 400 && status < 500 ? null : violation(exchange, '200 or a refusal', status);
  return onPage(exchange, (large) => {
    const limit = integerField(large.value, 'limit');
    if (limit === null || limit > maxLimit) return wrongField(large, 'limit', `at most ${maxLimit}`);
    if (large.items.length > maxLimit)
      return violation(inside(large, 'items'), `at most ${maxLimit} items`, large.items.length);
    return (integerField(large.value, 'totalItems') ?? 0) > maxLimit ? null : [];
  });
};

/** Each of the other parameters next to a limit above the maximum, and what they are in words. */
const besidesLimit: Readonly<
  Record<ListName, readonly [words: string, (rows: readonly Located[]) => readonly QueryValues[]]>
> = {
  findings: [
    'repoId, severity, status or page',
    (rows) => [
      { page: 1 },
      ...['repoId', 'severity', 'status'].map((field) => ({ [field]: mostFrequent(rows, field) })),
    ],
  ],
  prs: [
    'repoId, status or page',
    (rows) => [{ page: 1 }, { repoId: mostFrequent(rows, 'repoId') }, ...prStatusFilters],
  ],
};

const mostFrequent = (rows: readonly Located[], field: string): string => {
  const groups = Array.from(groupBy(rows, ({ value }) => stringField(value, field) ?? ''));
  const [value = ''] = groups.sort(([, left], [, right]) => right.length - left.length)[0] ?? [];
  return value;
};

const pageSizeChecksOf = (name: ListName): readonly Check[] => [
  must(
    `${name}.paging.default-limit`,
    `${listSection[name]}, 8`,
    `${name}: without limit a page has ${defaultLimit} items`,
  )(
    both(sampledList(name), response(listRequest(name))),
    ([{ rows }, exchange]) =>
      onPage(exchange, (plain) => {
        if (plain.value.limit !== defaultLimit) return fieldIs(plain, 'limit', defaultLimit);
        return rows.length > defaultLimit ? hasItems(plain, defaultLimit) : [];
      }),
    `more than ${defaultLimit} ${name}`,
  ),
  must(
    `${name}.paging.default-page`,
    `${listSection[name]}, 8`,
    `${name}: without page it is the first page, and pages count from 1`,
  )(
    both(sampledList(name), both(page(listRequest(name)), page(listRequest(name, { page: defaultPage })))),
    ([{ rows }, [plain, first]]) => {
      if (plain.value.page !== defaultPage) return fieldIs(plain, 'page', defaultPage);
      return rows.length <= defaultLimit ? [] : hasSameItems(plain, itemValues(first), asIn(first.request));
    },
    `more than ${defaultLimit} ${name}`,
  ),
  must(
    `${name}.paging.maximum-limit`,
    `${listSection[name]}, 8`,
    `${name}: no page has more than ${maxLimit} items, whatever limit asks for`,
  )(
    // Without a usable list, a refusal says nothing about the limit.
    sampled(page(listRequest(name)), () => [
      listRequest(name, { limit: maxLimit + 100 }),
      listRequest(name, { limit: maxLimit + 1 }),
    ]),
    keepsMaximum,
    `more than ${maxLimit} ${name}`,
  ),
  must(
    `${name}.paging.maximum-limit-with`,
    `${listSection[name]}, 8`,
    `${name}: no page has more than ${maxLimit} items, whatever limit asks for together with ${besidesLimit[name][0]}`,
  )(
    sampled(sampledList(name), ({ rows }) =>
      rows.length === 0
        ? []
        : besidesLimit[name][1](rows).map((query) => listRequest(name, { ...query, limit: maxLimit + 100 })),
    ),
    keepsMaximum,
    `more than ${maxLimit} ${name}`,
  ),
];

/** The default page, and the default and the maximum page size (contract, section 8). */
export const pageSizeChecks: readonly Check[] = listNames.flatMap(pageSizeChecksOf);

const numberFields = Object.keys(PageInfo.type.props);

/**
 * The page and the size that were requested; null if the contract does not say what the response is: for a
 * page beyond the last, a size above the maximum, or a parameter given twice.
 */
const requested = ({ request: { query }, value }: Page): Readonly<{ page: number; limit: number }> | null => {
  const parameters = new Map(query);
  const page = Number(parameters.get('page') ?? defaultPage);
  const limit = Number(parameters.get('limit') ?? defaultLimit);
  const isCovered = [page, limit].every((each) => Number.isSafeInteger(each) && each >= 1);
  const isBeyond = page > 1 && (page - 1) * limit >= (integerField(value, 'totalItems') ?? 0);
  return isCovered && limit <= maxLimit && !isBeyond && parameters.size === query.length
    ? { page, limit }
    : null;
};

/** severity and status remove items from a page without changing its totals (section 4.2, rule 2). */
const isFiltered = ({ request: { path, query } }: Page): boolean =>
  path === operations.listFindings.path && query.some(([name]) => name === 'severity' || name === 'status');

const isWholeNumber = (page: Page, field: string): Case => {
  const value = integerField(page.value, field);
  return value === null || value < 0 ? wrongField(page, field, 'a whole number') : null;
};

const isAsRequested =
  (field: 'page' | 'limit') =>
  (page: Page): Cases => {
    const expected = requested(page);
    return expected === null ? [] : fieldIs(page, field, expected[field]);
  };

const totalPages = (page: Page): Cases => {
  const limit = integerField(page.value, 'limit') ?? 0;
  const totalItems = integerField(page.value, 'totalItems') ?? 0;
  const why = since(`which is ${totalItems} / ${limit}, rounded up`);
  return limit < 1 || totalItems < 1 ? [] : fieldIs(page, 'totalPages', Math.ceil(totalItems / limit), why);
};

const itemCount = (page: Page): Cases => {
  const expected = requested(page);
  const total = integerField(page.value, 'totalItems');
  if (expected === null || total === null) return [];
  const { page: number, limit } = expected;
  const full = Math.min(limit, Math.max(0, total - (number - 1) * limit));
  const count = page.items.length;
  if (isFiltered(page) ? count <= full : count === full) return null;
  const bound = isFiltered(page) ? `at most ${full}` : full;
  return violation(
    inside(page, 'items'),
    `${bound} (page ${number} of ${total} items, ${limit} per page)`,
    count,
  );
};

/** Rows of a table: the last part of the id, the level, the statement, the judge of a page. */
const statements: readonly (readonly [string, CheckLevel, string, (page: Page) => Cases])[] = [
  [
    'fields',
    'must',
    `the envelope has items, and ${numberFields.join(', ')} as whole numbers`,
    (page) => numberFields.map((field) => isWholeNumber(page, field)),
  ],
  ['page', 'must', 'page is the page that was requested', isAsRequested('page')],
  ['limit', 'must', 'limit is the page size that was requested, up to the maximum', isAsRequested('limit')],
  ['total-pages', 'must', 'totalPages is totalItems / limit, rounded up', totalPages],
  ['items', 'must', 'every page has limit items, except the last, which has the rest', itemCount],
  [
    'no-further-fields',
    'info',
    'the envelope has no other fields',
    (page) => hasOnlyFields(page, ['items', ...numberFields]),
  ],
];

/**
 * The arithmetic of each envelope (contract, section 2.4). These checks come late to see all pages of a run.
 */
export const envelopeChecks: readonly Check[] = listNames.flatMap((name) =>
  statements.map(([suffix, level, statement, judge]) =>
    checkAt(level)(`${name}.envelope.${suffix}`, '2.4', `${name}: ${statement}`)(
      pagesSoFar(name),
      judge,
      `a page of ${name}`,
    ),
  ),
);
