import { isJsonEqual } from '../../common/canonical-json.js';
import { defaultLimit, defaultPage, maxLimit } from '../../contract/parameters.js';
import { asIn, fieldIs, hasItems, itemValues, onPage, violation } from '../cases.js';
import { type Check, must } from '../check.js';
import { integerField } from '../json-rows.js';
import { asPage, both, page, response, sampled, sampledList } from '../needs.js';
import { type ListName, listNames, listRequest, listSection } from '../requests.js';

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
    sampled(page(listRequest(name)), () => [listRequest(name, { limit: maxLimit + 100 })]),
    (exchange) => {
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
    },
    `more than ${maxLimit} ${name}`,
  ),
];

/** The default page, and the default and the maximum page size (contract, section 8). */
export const pageSizeChecks: readonly Check[] = listNames.flatMap(pageSizeChecksOf);
