import { type DecodedInput, decodeInput } from '../api/decode-input.js';
import { groupBy } from '../common/group-by.js';
import type { AnyOperation } from '../contract/operations.js';

/** How many decoded inputs are kept, and how long the texts may be that they were decoded from. */
const maxKept = 1000;
const maxKeptLength = 200;

/**
 * Decodes the parameters of requests to an operation. What clients ask for again and again is decoded once:
 * the codecs would take half of the time of such a request.
 */
export const inputDecoder = <Op extends AnyOperation>(operation: Op, strict: boolean) => {
  const kept = new Map<string, DecodedInput<Op>>();
  return (params: Readonly<Record<string, string>>, querystring: string): DecodedInput<Op> => {
    // A query has no line breaks.
    const key = [querystring, ...Object.values(params)].join('\n');
    const known = kept.get(key);
    if (known !== undefined) return known;
    const decoded = decodeInput(operation, { path: params, query: valuesOf(querystring) }, strict);
    if (key.length <= maxKeptLength) {
      if (kept.size >= maxKept) kept.clear();
      kept.set(key, decoded);
    }
    return decoded;
  };
};

/** All values that a query gives under each name. */
const valuesOf = (querystring: string): ReadonlyMap<string, readonly string[]> =>
  new Map(
    Array.from(
      groupBy(Array.from(new URLSearchParams(querystring)), ([name]) => name),
      ([name, pairs]) => [name, pairs.map(([, value]) => value)],
    ),
  );
