import { groupBy } from '../../../common/sort-and-group.js';
import { operations } from '../../../contract/operations.js';
import { defaultLimit, defaultPage, maxLimit, PageInfo } from '../../../contract/page-and-limit.js';
import {
  areAmong,
  areUnique,
  asIn,
  type Cases,
  type Check,
  checksOf,
  fieldIs,
  hasItems,
  hasOnlyFields,
  hasSameItems,
  inside,
  itemValues,
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
  filterNames,
  filtersBy,
  type ListName,
  listNames,
  listRequest,
  lists,
  type Page,
  page,
  type QueryValues,
  response,
  sampled,
} from '../requests.js';
import { integerField, type Located, stringField } from '../rows.js';

/** The whole list, of a large one a repository, in pages of the largest size and in smaller ones. */
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

/** How lists are divided into pages (contract, sections 2.4, 4.2, 4.4 and 8). */
const dividingChecks = listNames.flatMap((name): readonly Check[] => {
  const { must } = checksOf(`${name}.paging`, `more than one page of ${name}`, name);
  return [
    must('total-constant (2.4): totalItems is the same on every page')(
      sampleAndPart(name),
      ({ first, pages }) =>
        pages.slice(1).map((page) => fieldIs(page, 'totalItems', pages[0]?.value.totalItems, asIn(first))),
    ),
    must.requiring(`one of ${name}`)('total (2.4): totalItems is the number of items on all pages together')(
      derived(smallQuery(name), (query) => list(name, { query })),
      ({ pages }) => {
        const count = pages.flatMap(({ items }) => items).length;
        return pages
          .slice(0, 1)
          .filter(({ value }) => count > 0 || value.totalItems !== 0)
          .map((page) => fieldIs(page, 'totalItems', count, since('the number of items on all pages')));
      },
    ),
    must('partition (2.4): pages of any size contain every item exactly once')(
      inTwoSizes(name),
      ({ large, small }) => [
        ...areAmong(small.rows, large.rows, 'an item of the list', asIn(large.first)),
        ...areAmong(large.rows, small.rows, 'an item of the list', asIn(small.first)),
      ],
    ),
    ...(name === 'findings'
      ? [
          must('ids (2.2): no id occurs twice on all pages together')(sampleAndPart(name), ({ rows }) =>
            rows.length < 2 ? [] : areUnique(rows, 'id'),
          ),
        ]
      : []),
  ];
});

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

/** Each of the other parameters, with values that many rows have. */
const besidesLimit = (name: ListName, rows: readonly Located[]): readonly QueryValues[] => [
  { page: 1 },
  ...(name === 'findings' ? ['repoId', 'severity', 'status'] : ['repoId']).map((field) => ({
    [field]: mostFrequent(rows, field),
  })),
  ...(name === 'prs' ? filtersBy(name) : []),
];

const mostFrequent = (rows: readonly Located[], field: string): string => {
  const groups = Array.from(groupBy(rows, ({ value }) => stringField(value, field) ?? ''));
  const [value = ''] = groups.sort(([, left], [, right]) => right.length - left.length)[0] ?? [];
  return value;
};

/** The default page, and the default and the maximum page size (contract, section 8). */
const sizeChecks = listNames.flatMap((name): readonly Check[] => {
  const { must } = checksOf(`${name}.paging`, `more than ${defaultLimit} ${name}`, name);
  const section = `${lists[name].section}, 8`;
  const above = { limit: maxLimit + 100 };
  const maximum = `no page has more than ${maxLimit} items, whatever limit asks for`;
  return [
    must(`default-limit (${section}): without limit a page has ${defaultLimit} items`)(
      both(sampledList(name), response(listRequest(name))),
      ([{ rows }, exchange]) =>
        onPage(exchange, (plain) => {
          if (plain.value.limit !== defaultLimit) return fieldIs(plain, 'limit', defaultLimit);
          return rows.length > defaultLimit ? hasItems(plain, defaultLimit) : [];
        }),
    ),
    must(`default-page (${section}): without page it is the first page, and pages count from 1`)(
      both(sampledList(name), both(page(listRequest(name)), page(listRequest(name, { page: defaultPage })))),
      ([{ rows }, [plain, first]]) => {
        if (plain.value.page !== defaultPage) return fieldIs(plain, 'page', defaultPage);
        return rows.length <= defaultLimit ? [] : hasSameItems(plain, itemValues(first), asIn(first.request));
      },
    ),
    must.requiring(`more than ${maxLimit} ${name}`)(`maximum-limit (${section}): ${maximum}`)(
      // Without a usable list, a refusal says nothing about the limit.
      sampled(page(listRequest(name)), () =>
        [above, { limit: maxLimit + 1 }].map((query) => listRequest(name, query)),
      ),
      keepsMaximum,
    ),
    must.requiring(`more than ${maxLimit} ${name}`)(
      `maximum-limit-with (${section}): ${maximum} together with ${filterNames(name)} or page`,
    )(
      sampled(sampledList(name), ({ rows }) =>
        (rows.length === 0 ? [] : besidesLimit(name, rows)).map((query) =>
          listRequest(name, { ...query, ...above }),
        ),
      ),
      keepsMaximum,
    ),
  ];
});

export const pagingChecks: readonly Check[] = [...dividingChecks, ...sizeChecks];

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
  const words = `${bound} (page ${number} of ${total} items, ${limit} per page)`;
  return violation(inside(page, 'items'), words, count);
};

/** The arithmetic of envelopes (contract, section 2.4), of all pages that a run has seen. */
export const envelopeChecks: readonly Check[] = listNames.flatMap((name) => {
  const { must, info } = checksOf(`${name}.envelope`, `a page of ${name}`, name);
  const pages = pagesSoFar(name);
  return [
    must(`fields (2.4): the envelope has items, and ${numberFields.join(', ')} as whole numbers`)(
      pages,
      (page) =>
        numberFields.map((field) =>
          (integerField(page.value, field) ?? -1) >= 0 ? null : wrongField(page, field, 'a whole number'),
        ),
    ),
    must('page (2.4): page is the page that was requested')(pages, isAsRequested('page')),
    must('limit (2.4): limit is the page size that was requested, up to the maximum')(
      pages,
      isAsRequested('limit'),
    ),
    must('total-pages (2.4): totalPages is totalItems / limit, rounded up')(pages, totalPages),
    must('items (2.4): every page has limit items, except the last, which has the rest')(pages, itemCount),
    info('no-further-fields (2.4): the envelope has no other fields')(pages, (page) =>
      hasOnlyFields(page, ['items', ...numberFields]),
    ),
  ];
});
