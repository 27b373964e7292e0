import type { RawInput } from '../api/decode-input.js';
import { groupBy } from '../common/group-by.js';

/** The parameters of a request as they were sent: the path's already decoded by the router, the query's by name. */
export const readInput = (path: Readonly<Record<string, string>>, querystring: string): RawInput => {
  const byName = groupBy(new URLSearchParams(querystring), ([name]) => name);
  const query = new Map(Array.from(byName, ([name, pairs]) => [name, pairs.map(([, value]) => value)]));
  return { path, query };
};
