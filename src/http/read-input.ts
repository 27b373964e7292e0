import type { RawInput } from '../api/decode-input.js';

/** The parameters of a request as they were sent: the path's already decoded by the router, the query's by name. */
export const readInput = (path: Readonly<Record<string, string>>, querystring: string): RawInput => {
  const query = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(querystring)) {
    const values = query.get(name);
    if (values === undefined) query.set(name, [value]);
    else values.push(value);
  }
  return { path, query };
};
