import { canonicalJson, isJsonEqual, textOf } from '../../common/json.js';
import { groupBy } from '../../common/sort-and-group.js';
import { operations } from '../../contract/operations.js';
import { defaultLimit, defaultPage, maxLimit, PageInfo } from '../../contract/page-and-limit.js';
import {
  areAmong,
  areUnique,
  asIn,
  type Cases,
  type Check,
  checksOf,
  fieldIs,
  followingFrom,
  hasItems,
  hasOnlyFields,
  hasSameItems,
  inside,
  itemValues,
  judgeRun,
  onPage,
  since,
  violation,
  wrongField,
} from '../check.js';
import {
  asPage,
  type Exchange,
  type Factors,
  filterNames,
  filtersBy,
  type ListName,
  listNames,
  listRequest,
  lists,
  type Page,
  type QueryValues,
  requestedPage,
  totalItems,
} from '../exchange.js';
import { all, orElse } from '../not-exercised.js';
import {
  contractFields,
  contractPart,
  integerField,
  isRow,
  type ListItem,
  rowsIn,
  rowText,
} from '../rows.js';
import { coveringSet, type List, type Server } from '../server.js';
import { matches } from './filter-checks.js';

/** The whole list, of a large one a repository, in pages of the largest size and in smaller ones. */
type TwoSizes = Readonly<{ large: List; small: List }>;

/**
 * The smaller pages are about three and a half, or as large as possible without repeating the large ones;
 * none of fewer than two rows.
 */
const inTwoSizes = async (server: Server, name: ListName): Promise<readonly TwoSizes[]> => {
  const query = await server.smallQuery(name);
  const large = await server.list(name, { query });
  if (large.rows.length < 2) return [];
  const limit = Math.min(maxLimit - 1, Math.ceil(large.rows.length / 3.5));
  return [{ large, small: await server.list(name, { query, limit }) }];
};

/** The list as it is looked at, and a small part of it that is whole. */
const sampleAndPart = async (server: Server, name: ListName): Promise<readonly List[]> => {
  const sample = await server.sample(name);
  const parts = await orElse(inTwoSizes(server, name), []);
  return [sample, ...parts.flatMap(({ large, small }) => [large, small])];
};

/** How lists are divided into pages (contract, sections 2.4, 4.2, 4.4 and 8). */
const dividingChecks = listNames.flatMap((name): readonly Check[] => {
  const { must } = checksOf(`${name}.paging`, `more than one page of ${name}`, name);
  return [
    must('total-constant (2.4): totalItems is the same on every page')(async (server) =>
      (await sampleAndPart(server, name)).flatMap(({ first, pages: [one, ...others] }) =>
        others.map((page) => fieldIs(page, 'totalItems', one?.value.totalItems, asIn(first))),
      ),
    ),
    must.requiring(`one of ${name}`)('total (2.4): totalItems is the number of items on all pages together')(
      async (server) => {
        const { pages } = await server.list(name, { query: await server.smallQuery(name) });
        const count = pages.flatMap(({ items }) => items).length;
        return pages
          .slice(0, 1)
          .filter(({ value }) => count > 0 || value.totalItems !== 0)
          .map((page) => fieldIs(page, 'totalItems', count, since('the number of items on all pages')));
      },
    ),
    must('partition (2.4): pages of any size contain every item exactly once')(async (server) =>
      (await inTwoSizes(server, name)).flatMap(({ large, small }) => [
        ...areAmong(small.rows, large.rows, 'an item of the list', asIn(large.first)),
        ...areAmong(large.rows, small.rows, 'an item of the list', asIn(small.first)),
      ]),
    ),
    ...(name === 'findings'
      ? [
          must('ids (2.2): no id occurs twice on all pages together')(async (server) =>
            (await sampleAndPart(server, name)).flatMap(({ rows }) =>
              rows.length < 2 ? [] : areUnique(rows, 'id'),
            ),
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
    return totalItems(large) > maxLimit ? null : [];
  });
};

/** Each of the other parameters, with values that many rows have. */
const besidesLimit = (name: ListName, rows: List['rows']): readonly QueryValues[] => [
  { page: 1 },
  ...(name === 'findings' ? ['repoId', 'severity', 'status'] : ['repoId']).map((field) => ({
    [field]: mostFrequent(rows, field),
  })),
  ...(name === 'prs' ? filtersBy(name) : []),
];

const mostFrequent = (rows: List['rows'], field: string): string => {
  const groups = Array.from(groupBy(rows, ({ value }) => textOf(value, field) ?? ''));
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
    must(`default-limit (${section}): without limit a page has ${defaultLimit} items`)(async (server) => {
      const { rows } = await server.sample(name);
      return onPage(await server.response(listRequest(name)), (plain) => {
        if (plain.value.limit !== defaultLimit) return fieldIs(plain, 'limit', defaultLimit);
        return rows.length > defaultLimit ? hasItems(plain, defaultLimit) : [];
      });
    }),
    must(`default-page (${section}): without page it is the first page, and pages count from 1`)(
      async (server) => {
        const { rows } = await server.sample(name);
        const plain = await server.page(listRequest(name));
        const first = await server.page(listRequest(name, { page: defaultPage }));
        if (plain.value.page !== defaultPage) return fieldIs(plain, 'page', defaultPage);
        return rows.length <= defaultLimit ? [] : hasSameItems(plain, itemValues(first), asIn(first.request));
      },
    ),
    must.requiring(`more than ${maxLimit} ${name}`)(`maximum-limit (${section}): ${maximum}`)(
      async (server) => {
        // Without a usable list, a refusal says nothing about the limit.
        await server.page(listRequest(name));
        const requests = [above, { limit: maxLimit + 1 }].map((query) => listRequest(name, query));
        return (await server.responses(requests)).flatMap(keepsMaximum);
      },
    ),
    must.requiring(`more than ${maxLimit} ${name}`)(
      `maximum-limit-with (${section}): ${maximum} together with ${filterNames(name)} or page`,
    )(async (server) => {
      const { rows } = await server.sample(name);
      const queries = rows.length === 0 ? [] : besidesLimit(name, rows);
      const requests = queries.map((query) => listRequest(name, { ...query, ...above }));
      return (await server.responses(requests)).flatMap(keepsMaximum);
    }),
  ];
});

export const pagingChecks: readonly Check[] = [...dividingChecks, ...sizeChecks];

const numberFields = Object.keys(PageInfo.type.props);

/** The page that was requested; null if the contract does not say what it is, as of one beyond the last. */
const requested = (page: Page) => {
  const { number, size, isCovered } = requestedPage(page);
  const isBeyond = number > 1 && (number - 1) * size >= totalItems(page);
  return isCovered && !isBeyond ? { page: number, limit: size } : null;
};

/** severity and status remove items from a page without changing its totals (section 4.2, rule 2). */
const isFiltered = ({ request: { path, query } }: Page): boolean =>
  path === operations.listFindings.path && query.some(([name]) => name === 'severity' || name === 'status');

const echoes =
  (field: 'page' | 'limit') =>
  (page: Page): Cases => {
    const expected = requested(page);
    return expected === null ? [] : fieldIs(page, field, expected[field]);
  };

const totalPages = (page: Page): Cases => {
  const limit = integerField(page.value, 'limit') ?? 0;
  const total = totalItems(page);
  const why = since(`which is ${total} / ${limit}, rounded up`);
  return limit < 1 || total < 1 ? [] : fieldIs(page, 'totalPages', Math.ceil(total / limit), why);
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
  /** The list as far as it is looked at, and then every page of it that was fetched in the run so far. */
  const judgePages = (judge: (page: Page) => Cases) =>
    judgeRun(async (server) => {
      await server.sample(name);
      return server.client
        .exchanges()
        .filter(({ request: { path, method } }) => path === lists[name].operation.path && method === 'GET')
        .flatMap((exchange) => asPage(exchange) ?? []);
    }, judge);
  return [
    must(`fields (2.4): the envelope has items, and ${numberFields.join(', ')} as whole numbers`)(
      judgePages((page) =>
        numberFields.map((field) =>
          (integerField(page.value, field) ?? -1) >= 0 ? null : wrongField(page, field, 'a whole number'),
        ),
      ),
    ),
    must('page (2.4): page is the page that was requested')(judgePages(echoes('page'))),
    must('limit (2.4): limit is the page size that was requested, up to the maximum')(
      judgePages(echoes('limit')),
    ),
    must('total-pages (2.4; total-pages): totalPages is totalItems / limit, rounded up')(
      judgePages(totalPages),
    ),
    must('items (2.4): every page has limit items, except the last, which has the rest')(
      judgePages(itemCount),
    ),
    info('no-further-fields (2.4): the envelope has no other fields')(
      judgePages((page) => hasOnlyFields(page, ['items', ...numberFields])),
    ),
  ];
});

/** The filters that apply before a list is cut into pages: sections 4.2 (rule 2) and 4.4 (rule 2). */
const filtersBeforePaging: Readonly<Record<ListName, readonly string[]>> = {
  findings: ['repoId'],
  prs: ['repoId', 'status'],
};

/** The rows of a list by their position. A position that was not fetched, or has no object, has none. */
type KnownRows = Readonly<{
  rows: readonly (ListItem | undefined)[];
  totalItems: number;
  /** Whether the row of every position is known. */
  isComplete: boolean;
}>;

/** What the pages of a list tell about its rows, whichever pages were fetched. */
const knownRows = (pages: readonly Page[]): KnownRows => {
  const rows: (ListItem | undefined)[] = [];
  for (const page of pages) {
    const { number, size } = requestedPage(page);
    page.items.forEach(({ value }, index) => {
      if (isRow(value)) rows[(number - 1) * size + index] = contractFields(value);
    });
  }
  // Without a total that can be used, an empty page tells that there are no further rows.
  const isEnded = pages.at(-1)?.items.length === 0;
  const total = integerField(pages[0]?.value ?? {}, 'totalItems') ?? (isEnded ? rows.length : 0);
  const totalItems = Math.max(0, total);
  const known = rows.filter((row) => row !== undefined).length;
  return { rows, totalItems, isComplete: rows.length === totalItems && known === totalItems };
};

/** The rows of a page; null if not all of them are known, or the page is beyond the last. */
const knownPage = (known: KnownRows, page: number, limit: number): readonly ListItem[] | null => {
  const { rows, totalItems } = known;
  const start = (page - 1) * limit;
  if (page > 1 && start >= totalItems) return null;
  const end = Math.min(start + limit, totalItems);
  const found = rows.slice(start, end).filter((row) => row !== undefined);
  return found.length === end - start ? found : null;
};

/** The most rows that a repository should have, so that its lists take few requests. */
const maxRows = 3 * maxLimit;

/** Two repositories, if there are: one with many rows, and one with few that are not all alike. */
const twoRepos = (
  rows: readonly (ListItem | undefined)[],
): readonly Readonly<{ id: string; size: number }>[] => {
  const known = rows.filter((row) => row !== undefined);
  const byRepo = groupBy(known, (row) => textOf(row, 'repoId'));
  const bySize = Array.from(byRepo)
    .flatMap(([id, { length: size }]) => (id && size > 1 && size <= maxRows ? [{ id, size }] : []))
    .sort((left, right) => right.size - left.size);
  const small = bySize.findLast(({ size }) => size > 5) ?? bySize.at(-1);
  // The filter has no effect on a list of one repository.
  return byRepo.size > 1 ? [...new Set([bySize[0] ?? [], small ?? []].flat())] : [];
};

/** The pages that are asked for besides the first one, which is the default. */
const laterPages = [2, 3];

const factorsOf = (name: ListName, rows: readonly (ListItem | undefined)[]): Factors => {
  const repos = twoRepos(rows);
  const smallest = repos.at(-1)?.size ?? rows.length;
  return {
    repoId: repos.map(({ id }) => id),
    ...lists[name].filters,
    page: laterPages,
    limit: [Math.max(1, Math.min(7, Math.floor(smallest / 3))), maxLimit],
  };
};

/** Every combination of values, each parameter being absent in some. */
const product = (factors: Factors): readonly QueryValues[] =>
  Object.entries(factors).reduce<readonly QueryValues[]>(
    (queries, [name, values]) =>
      queries.flatMap((query) => [query, ...values.map((value) => ({ ...query, [name]: value }))]),
    [{}],
  );

const entriesNamed = <A>(values: Readonly<Record<string, A>>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));

/**
 * The rows of a filtered list. If they are those that follow from the whole list, they are in the order in
 * which the server sends them: the contract does not say that a filter keeps the order.
 */
const filteredRows = (all: KnownRows, filter: QueryValues, found: readonly Page[] | null) => {
  const own = found === null ? null : knownRows(found);
  if (!all.isComplete) return own ?? { rows: [], totalItems: 0, isComplete: false };
  const expected = all.rows.flatMap((row) => (row && matches(row, filter) ? [row] : []));
  const text = (rows: readonly (ListItem | undefined)[]): string =>
    rows
      .map((row) => row && rowText(row))
      .sort()
      .join();
  return own?.isComplete === true && text(own.rows) === text(expected)
    ? own
    : { rows: expected, totalItems: expected.length, isComplete: true };
};

/** The pages of a filtered list; of a large one the first, which combinations request. */
const pagesBy = async (
  server: Server,
  name: ListName,
  query: QueryValues,
  isWhole: boolean,
): Promise<readonly Page[]> => {
  if (isWhole) return (await server.sample(name, { query })).pages;
  const numbered = (number: number): Promise<Page> =>
    server.page(listRequest(name, { ...query, page: number, limit: maxLimit }));
  const first = await numbered(1);
  const count = Math.ceil(totalItems(first) / maxLimit);
  return [first, ...(await all(laterPages.filter((number) => number <= count).map(numbered)))];
};

/** The page that a request should return. */
type Expected = Readonly<{ items: readonly ListItem[]; totalItems: number; totalPages: number }>;

/** What a request should return; null where the contract does not say, or not enough rows are known. */
type Expectation = (query: QueryValues) => Expected | null;

const expectedPages = async (
  server: Server,
  name: ListName,
  whole: List,
  factors: Factors,
): Promise<Expectation> => {
  const before = filtersBeforePaging[name];
  const known = knownRows(whole.pages);
  const [unfiltered, ...filters] = product(entriesNamed(factors, before));
  const filtered = filters.map(async (filter) => {
    const found = await orElse(pagesBy(server, name, filter, whole.isWhole), null);
    return [canonicalJson(filter), filteredRows(known, filter, found)] as const;
  });
  const byFilter = new Map([[canonicalJson(unfiltered), known], ...(await all(filtered))]);
  return (query) => {
    const base = byFilter.get(canonicalJson(entriesNamed(query, before)));
    const [page, limit] = [Number(query.page ?? defaultPage), Number(query.limit ?? defaultLimit)];
    const cut = base === undefined ? null : knownPage(base, page, limit);
    if (base === undefined || cut === null) return null;
    // Of a large list, the rows by a filter are what the server says they are: some may be wrong.
    const { page: _, limit: __, ...filter } = query;
    const items = cut.filter((row) => matches(row, filter));
    return { items, totalItems: base.totalItems, totalPages: Math.ceil(base.totalItems / limit) };
  };
};

/** A number for each row, the same for rows that are equal. */
const rowNumbers = (): ((row: ListItem) => number) => {
  const ofText = new Map<string, number>();
  return (row) => {
    const text = rowText(row);
    const number = ofText.get(text) ?? ofText.size;
    ofText.set(text, number);
    return number;
  };
};

/**
 * Requests in which every two values of two parameters occur together, absence being a value, too. Each of
 * the two has to have an effect that shows in the rows: without it, a mistake would go unnoticed.
 */
const pairwise = (factors: Factors, expected: Expectation): readonly QueryValues[] => {
  const names = Object.keys(factors);
  const queries = product(factors);
  const numberOf = rowNumbers();
  const keyOf = (query: QueryValues): string => names.map((name) => query[name] ?? '').join('&');
  /** Which rows each request should return, as text; null if that is not known. */
  const texts = new Map(
    queries.map((query) => {
      const found = expected(query);
      return [keyOf(query), found && `${found.totalItems}: ${found.items.map(numberOf).join()}`];
    }),
  );
  return coveringSet(queries, (query) => {
    const text = texts.get(keyOf(query));
    if (text === null) return [];
    const shown = names.filter(
      (name) => !(name in query) || texts.get(keyOf({ ...query, [name]: '' })) !== text,
    );
    return shown.flatMap((one, index) =>
      shown.slice(index + 1).map((other) => `${one}=${query[one]}&${other}=${query[other]}`),
    );
  });
};

/** The sizes whose pages are in another order: the contract does not say that all sizes have the same. */
const reorderedSizes = async (server: Server, name: ListName, { rows }: List, { limit = [] }: Factors) => {
  const known = rows.map(({ value }) => rowText(value));
  const sizes = [...limit, defaultLimit].map(async (size) => {
    const { items } = await server.page(listRequest(name, size === defaultLimit ? {} : { limit: size }));
    const found = rowsIn(items).map(({ value }) => rowText(contractFields(value)));
    const isReordered =
      found.every((row) => known.includes(row)) && !isJsonEqual(found, known.slice(0, found.length));
    return isReordered ? [Number(size)] : [];
  });
  return new Set((await all(sizes)).flat());
};

/** Requests in which every two values of two parameters of a list occur together (section 4.2 or 4.4). */
const combinations = async (server: Server, name: ListName) => {
  const whole = await server.sample(name);
  const factors = factorsOf(name, knownRows(whole.pages).rows);
  const reordered = await reorderedSizes(server, name, whole, factors);
  const expectedByFilters = await expectedPages(server, name, whole, factors);
  const expectedOf: Expectation = (query) =>
    reordered.has(Number(query.limit || defaultLimit)) ? null : expectedByFilters(query);
  const requests = pairwise(factors, expectedOf).flatMap((query) => {
    const expected = expectedOf(query);
    return expected === null ? [] : [{ query, expected, why: followingFrom(whole.first) }];
  });
  return server.withResponses(requests, ({ query }) => listRequest(name, query));
};

/** Parameters of the lists in combination (contract, sections 4.2 and 4.4). */
export const combinationChecks: readonly Check[] = listNames.flatMap((name): readonly Check[] => {
  const { must } = checksOf(name, `more than one page of ${name} of different kinds`);
  const { section } = lists[name];
  const totals =
    name === 'findings'
      ? 'repoId and limit, and not on severity, status and page'
      : 'repoId, status and limit, and not on page';
  return [
    must(
      `combinations (${section}): a request with any two of ${filterNames(name)}, page and limit returns the items that both select`,
    )(async (server) =>
      (await combinations(server, name)).flatMap(({ expected, why, exchange }) =>
        onPage(exchange, (page) => hasSameItems(page, expected.items.map(contractPart), why)),
      ),
    ),
    must(
      `combinations-totals (${section} rule 2): totalItems and totalPages depend on ${totals}; this holds for any two parameters together`,
    )(async (server) =>
      (await combinations(server, name)).flatMap(({ expected: { totalItems, totalPages }, why, exchange }) =>
        onPage(exchange, (page) => [
          fieldIs(page, 'totalItems', totalItems, why),
          // How many pages an empty list has is left open.
          ...(totalItems === 0 ? [] : [fieldIs(page, 'totalPages', totalPages, why)]),
        ]),
      ),
    ),
  ];
});
