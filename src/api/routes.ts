import { groupBy } from '../common/sort-and-group.js';
import type { Params, Row } from './call.js';
import type { Endpoint } from './endpoint.js';
import { failureResponse } from './failures.js';
import type { ServiceRequest } from './request.js';
import type { JsonResponse, PageKind, Reply } from './response.js';

/** The methods of operations (contract, section 1, rule 4). */
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
const decodedText = (text: string): string => {
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

/** A row that a path has led to. */
export type Match = Readonly<{ row: Row; params: Params }>;

/** The row of an operation, whose path has `{name}` for a parameter. */
export const operationRow = ({ operation, respondTo }: Endpoint): Row => ({
  method: operation.method,
  path: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
  name: operation.id,
  kind: 'operation',
  operation,
  accepts: operation.accepts,
  isFor: () => true,
  answer: respondTo,
});

/**
 * Finds rows by their paths. Paths match to the letter: case and a trailing slash count. The value of a
 * parameter is not empty.
 */
export const routeTable = (rows: readonly Row[]) => {
  const byPath = groupBy(rows, ({ path }) => path);
  const patterns = Array.from(byPath)
    .filter(([path]) => path.includes(':'))
    .map(([path, some]) => ({
      pattern: new RegExp(`^${path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
      some,
    }));
  /** The rows at a path, whatever their methods, and the values of its parameters. */
  const at = (path: string): Readonly<{ some: readonly Row[]; params: Params }> => {
    const fixed = byPath.get(path);
    if (fixed !== undefined && !path.includes(':')) return { some: fixed, params: {} };
    for (const { pattern, some } of patterns) {
      const values = pattern.exec(path)?.groups;
      if (values === undefined) continue;
      const params = Object.entries(values).map(([name, value]) => [name, decodedText(value)]);
      return { some, params: Object.fromEntries(params) };
    }
    return { some: [], params: {} };
  };
  return {
    rows,
    /** The row that answers a request; null: there is none. */
    find: (method: string, path: string): Match | null => {
      const { some, params } = at(path);
      const row = some.find((each) => each.method === (method === 'HEAD' ? 'GET' : method));
      return row === undefined ? null : { row, params };
    },
    /** The rows at a path that a client may use. */
    at: (path: string, request: ServiceRequest): readonly Row[] =>
      at(path).some.filter(({ isFor }) => isFor(request)),
  };
};

export type RouteTable = ReturnType<typeof routeTable>;

/** The methods that rows answer. */
export const methodsOf = (rows: readonly Row[]): readonly string[] =>
  Array.from(new Set(rows.flatMap(({ method }) => (method === 'GET' ? readMethods : method))));
