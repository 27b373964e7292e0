import { groupBy } from '../common/sort-and-group.js';
import { StringCodec } from '../contract/codecs/text-and-numbers.js';
import type { Endpoint } from '../operations/endpoint.js';
import { decodedText, type Params, type Row, readMethods } from '../protocol/routes.js';

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

/** A row of an operation. */
type OperationRow = Readonly<{ method: 'GET'; path: string; endpoint: Endpoint }>;

/** A row that a path has led to. */
export type Match<R = Row | OperationRow> = Readonly<{ row: R; params: Params }>;

const isOfOperation = (match: Match): match is Match<OperationRow> => 'endpoint' in match.row;

/** The match of an operation; null: it is for something else, or for nothing. */
export const operationIn = (match: Match | null): Match<OperationRow> | null =>
  match !== null && isOfOperation(match) ? match : null;

/** The row of an operation, whose path has `{name}` for a parameter. */
export const operationRow = (endpoint: Endpoint): OperationRow => ({
  method: endpoint.operation.method,
  path: endpoint.operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
  endpoint,
});

/** What logs, metrics and rules call a row. */
export const nameOfRow = (row: Row | OperationRow): string =>
  'endpoint' in row ? row.endpoint.operation.id : `${row.method} ${row.path}`;

/**
 * Finds rows by their paths. Paths match to the letter: case and a trailing slash count. The value of a
 * parameter is not empty.
 */
export const routeTable = (rows: readonly (Row | OperationRow)[]) => {
  const byPath = groupBy(rows, ({ path }) => path);
  const patterns = Array.from(byPath)
    .filter(([path]) => path.includes(':'))
    .map(([path, some]) => ({
      pattern: new RegExp(`^${path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
      some,
    }));
  /** The rows at a path, whatever their methods, and the values of its parameters. */
  const at = (path: string): Readonly<{ some: readonly (Row | OperationRow)[]; params: Params }> => {
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
    /** The methods of those of the rows at a path that a client may use. */
    methodsAt: (path: string, isForClient: (row: Row | OperationRow) => boolean): readonly string[] => {
      const methods = at(path)
        .some.filter(isForClient)
        .flatMap(({ method }) => (method === 'GET' ? readMethods : method));
      return Array.from(new Set(methods));
    },
  };
};
