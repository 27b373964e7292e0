import { groupBy } from '../common/sort-and-group.js';
import { StringCodec } from '../contract/codecs/text-and-numbers.js';
import type { Endpoint } from '../operations/endpoint.js';
import type { Params, Row } from '../protocol/call.js';
import type { ServiceRequest } from '../protocol/request.js';
import { decodedText, readMethods } from '../protocol/routes.js';

/** What paths of the service begin with: if a base path did, one could not tell which of the two is meant. */
const ownPath =
  /^\/(?:api(?:\/v1|$)|__admin|assets|docs|explore|healthz|login|logout|openapi\.json|readyz|session|settings|signup)(?:\/|$)/;

/** What comes before the paths of the service, such as `/mock` or `/a/b`; empty: nothing. */
export const BasePath = new StringCodec<string>(
  'a path such as /mock or /a/b, of letters, digits and "._~-", without a slash at its end',
  { pattern: /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)*$/, maxLength: 200 },
  (text) => !ownPath.test(text),
  (text) =>
    ownPath.test(text) ? 'a path that does not begin like those of the service, such as /docs' : undefined,
);

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
