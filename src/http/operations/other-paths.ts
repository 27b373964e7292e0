import type * as t from 'io-ts';
import { failureResponse } from './failure-response.js';
import type { Rendered } from './rendered.js';

/** A response whose body may be missing. */
export type OtherResponse = Readonly<{
  status: number;
  headers?: Readonly<Record<string, string>>;
  body?: Rendered<t.Mixed>;
}>;

/** The methods of operations. */
export const operationMethods = ['GET', 'HEAD'];

/**
 * The response to what no route takes: OPTIONS with `Allow`, another method of a known path with 405, and the
 * rest with 404. `methods`: those that the path has.
 */
export const otherResponse = (method: string, methods: readonly string[]): OtherResponse => {
  if (methods.length === 0) return failureResponse({ _tag: 'NotFound' });
  const headers = { Allow: [...methods, 'OPTIONS'].sort().join(', ') };
  return method === 'OPTIONS'
    ? { status: 204, headers }
    : { ...failureResponse({ _tag: 'MethodNotAllowed' }), headers };
};
