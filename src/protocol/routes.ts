import type { Params, Row } from './call.js';
import { failureResponse } from './failures.js';
import type { ServiceRequest } from './request.js';
import type { JsonResponse, PageKind, Reply } from './response.js';

/** The methods of operations. */
export const readMethods: readonly string[] = ['GET', 'HEAD'];

/**
 * The response to what no row takes: OPTIONS with `Allow`, another method of a known path with 405, and the
 * rest with 404. `methods`: those that the path has.
 */
export const unroutedResponse = (
  method: string,
  methods: readonly string[],
): Omit<JsonResponse, 'body'> & Partial<JsonResponse> => {
  if (methods.length === 0) return failureResponse({ _tag: 'NotFound' });
  const headers = { Allow: [...methods, 'OPTIONS'].sort().join(', ') };
  return method === 'OPTIONS'
    ? { status: 204, headers }
    : { ...failureResponse({ _tag: 'MethodNotAllowed' }), headers };
};

/** A text that is not percent-encoded correctly stands for itself. */
export const decodedText = (text: string): string => {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** A row outside of the contract whose answer depends on nothing but its request, for whoever it is for. */
export const plainRow = (
  method: string,
  path: string,
  answer: (request: ServiceRequest, params: Params) => Promise<Reply>,
  { isFor = () => true, kind = 'page' }: Readonly<{ isFor?: Row['isFor']; kind?: PageKind }> = {},
): Row => ({
  method,
  path,
  name: `${method} ${path}`,
  kind,
  operation: null,
  accepts: ['session'],
  isFor,
  answer: async ({ request, params }) => ({ ...(await answer(request, params)), kind }),
});
