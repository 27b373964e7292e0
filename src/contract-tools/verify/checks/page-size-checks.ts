import { isJsonEqual } from '../../../common/json.js';
import { groupBy } from '../../../common/sort-and-group.js';
import { defaultLimit, defaultPage, maxLimit } from '../../../contract/page-and-limit.js';
import type { Exchange } from '../caching-client.js';
import { asIn, fieldIs, hasItems, itemValues, onPage, violation } from '../cases.js';
import { type Check, must } from '../check.js';
import { integerField, type Located, stringField } from '../json-rows.js';
import { type List, sampledList } from '../list-needs.js';
import { both } from '../need.js';
import { asPage, page, response, sampled } from '../request-needs.js';
import {
  type ListName,
  listNames,
  listRequest,
  listSection,
  prStatusFilters,
  type QueryValues,
} from '../requests.js';
import type { Case } from '../verdict.js';

/** No page is larger than the maximum, whichever size was requested. */
const keepsMaximum = (exchange: Exchange): Case | readonly Case[] => {
  const { status } = exchange.response;
  // The contract does not say what happens above the maximum: refusing it keeps the maximum, too.
  if (asPage(exchange) === null)
    return status >= 400 && status < 500 ? null : violation(exchange, '200 or a refusal', status);
  return onPage(exchange, (large) => {
    const limit = integerField(large.value, 'limit');
    if (limit === null || limit > maxLimit)
      return violation(large, `at most ${maxLimit}`, large.value.limit, 'limit');
    if (large.items.length > maxLimit)
      return violation(large, `at most ${maxLimit} items`, large.items.length, 'items');
    return (integerField(large.value, 'totalItems') ?? 0) > maxLimit ? null : [];
  });
};

/** Each of the other parameters next to a limit above the maximum. */
const largePagesWith: Readonly<Record<ListName, (list: List) => readonly QueryValues[]>> = {
  findings: ({ rows }) => [
    { page: 1 },
    { repoId: mostFrequent(rows, 'repoId') },
    { severity: mostFrequent(rows, 'severity') },
    { status: mostFrequent(rows, 'status') },
  ],
  prs: ({ rows }) => [{ page: 1 }, { repoId: mostFrequent(rows, 'repoId') }, ...prStatusFilters],
};

const largePageParameters: Readonly<Record<ListName, string>> = {
  findings: 'repoId, severity, status or page',
  prs: 'repoId, status or page',
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
    both(sampledList(name), both(page(listRequest(name)), page(listRequest(name, { page: defaultPage })))),
    ([{ rows }, [plain, first]]) => {
      if (plain.value.page !== defaultPage) return fieldIs(plain, 'page', defaultPage);
      if (rows.length <= defaultLimit) return [];
      return isJsonEqual(itemValues(plain), itemValues(first))
        ? null
        : violation(plain, `the same items${asIn(first.request)}`, itemValues(plain), 'items');
    },
    `more than ${defaultLimit} ${name}`,
  ),
  must(
    `${name}.paging.maximum-limit`,
    `${listSection[name]}, 8`,
    `${name}: no page has more than ${maxLimit} items, whatever limit asks for`,
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
    `${name}: no page has more than ${maxLimit} items, whatever limit asks for together with ${largePageParameters[name]}`,
    sampled(sampledList(name), (all) =>
      all.rows.length === 0
        ? []
        : largePagesWith[name](all).map((query) => listRequest(name, { ...query, limit: maxLimit + 100 })),
    ),
    keepsMaximum,
    `more than ${maxLimit} ${name}`,
  ),
];

/** The default page, and the default and the maximum page size (contract, section 8). */
export const pageSizeChecks: readonly Check[] = listNames.flatMap(pageSizeChecksOf);
