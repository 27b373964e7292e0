import type { ApiRequest } from '../../../client/outgoing-request.js';
import type { Exchange } from '../caching-client.js';
import { sampledList } from '../list-needs.js';
import { derived, eachOf, mapped, type Need } from '../need.js';
import { response } from '../request-needs.js';
import { type ListName, listRequest, type QueryValues } from '../requests.js';
import { type Expected, expectedPages } from './expected-pages.js';
import { knownRows } from './known-rows.js';
import { rules } from './list-rules.js';
import { pairwise } from './pairwise.js';
import { factorsOf } from './parameter-values.js';

/** A request with several parameters, what it should return, and what it does return. */
export type Combination = Readonly<{
  query: QueryValues;
  expected: Expected;
  /** The request that what is expected follows from. */
  source: ApiRequest;
  exchange: Exchange;
}>;

/** Requests in which every two values of two parameters of a list occur together (section 4.2 or 4.4). */
export const combinations = (name: ListName): Need<Combination> =>
  derived(sampledList(name), (all) => {
    const factors = factorsOf(rules[name], knownRows(all.pages).rows);
    return derived(expectedPages(name, all, factors), (expectedOf) =>
      eachOf(
        pairwise(factors, expectedOf).flatMap((query) => {
          const expected = expectedOf(query);
          return expected === null
            ? []
            : mapped(response(listRequest(name, query)), (exchange) => ({
                query,
                expected,
                source: all.first,
                exchange,
              }));
        }),
      ),
    );
  });
