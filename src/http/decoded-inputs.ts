import { type DecodedInput, decodeInput } from '../api/decode-input.js';
import { groupBy } from '../common/group-by.js';
import { memo } from '../common/memo.js';
import type { AnyOperation } from '../contract/operations.js';

/**
 * Decodes the parameters of requests to an operation. What clients ask for again and again is decoded once:
 * the codecs would take half of the time of such a request.
 */
export const inputDecoder = <Op extends AnyOperation>(operation: Op, strict: boolean) => {
  const decoded = memo<DecodedInput<Op>>();
  return (params: Readonly<Record<string, string>>, querystring: string): DecodedInput<Op> =>
    // A query has no line breaks.
    decoded([querystring, ...Object.values(params)].join('\n'), () =>
      decodeInput(operation, { path: params, query: valuesOf(querystring) }, strict),
    );
};

/** All values that a query gives under each name. */
const valuesOf = (querystring: string): ReadonlyMap<string, readonly string[]> =>
  new Map(
    Array.from(
      groupBy(Array.from(new URLSearchParams(querystring)), ([name]) => name),
      ([name, pairs]) => [name, pairs.map(([, value]) => value)],
    ),
  );
