import type { HttpResponse } from '../../client/fetch-send.js';
import { describeRequest } from '../../client/outgoing-request.js';
import type { Exchange } from '../verify/requests.js';
import { isRow, type Row, stringField } from '../verify/rows.js';
import type { Difference } from './diff.js';

/**
 * Values that differ at the same place of several rows. `where` is that place with `*` for any item of an
 * array; `at`, `left` and `right` are those of the first one.
 */
type ValueDifference = Readonly<{
  where: string;
  count: number;
  at: string;
  left: string;
  right: string;
}>;

/** Fields whose values change as time passes. */
const timeDependent = new Set(['lastScanRelative']);

/** What a server has in place of a row that only the other one has. */
export const noSuchRow = 'no such row';

/** A path twice: with `*` for the items of arrays, and with their indexes. */
type Place = Readonly<{ where: string; at: string }>;

/**
 * Where two JSON values differ, except for relative times. Rows are compared with the row of the same id, so
 * that a row that only one side has does not make all rows after it differ.
 */
export const compareValues = (left: unknown, right: unknown): readonly ValueDifference[] => {
  const found = new Map<string, ValueDifference>();

  const differ = ({ where, at }: Place, left: string, right: string): void => {
    const key = JSON.stringify([where, left === noSuchRow, right === noSuchRow]);
    const known = found.get(key);
    found.set(
      key,
      known === undefined ? { where, count: 1, at, left, right } : { ...known, count: known.count + 1 },
    );
  };

  const visitRows = (place: Place, left: RowsById, right: RowsById): void => {
    for (const [id, { row, index }] of left) {
      const other = right.get(id);
      if (other === undefined) differ(itemOf(place, index), shown(id), noSuchRow);
      else visit(itemOf(place, index), row, other.row);
    }
    for (const [id, { index }] of right)
      if (!left.has(id)) differ(itemOf(place, index), noSuchRow, shown(id));
    const rightOrder = Array.from(right.keys()).filter((id) => left.has(id));
    const leftOrder = Array.from(left).filter(([id]) => right.has(id));
    for (const [position, [id, { index }]] of leftOrder.entries()) {
      const other = rightOrder[position];
      if (other !== id) differ(inside(itemOf(place, index), 'id'), shown(id), shown(other));
    }
  };

  const visit = (place: Place, left: unknown, right: unknown): void => {
    if (Array.isArray(left) && Array.isArray(right)) {
      const [leftRows, rightRows] = [rowsById(left), rowsById(right)];
      if (leftRows !== null && rightRows !== null) visitRows(place, leftRows, rightRows);
      else if (left.length !== right.length) differ(place, items(left), items(right));
      else for (const [index, item] of left.entries()) visit(itemOf(place, index), item, right[index]);
    } else if (isRow(left) && isRow(right)) {
      // A field that only one side has is a difference in shape.
      for (const key of Object.keys(left))
        if (Object.hasOwn(right, key) && !timeDependent.has(key))
          visit(inside(place, key), left[key], right[key]);
    } else if (!Object.is(left, right)) differ(place, shown(left), shown(right));
  };

  visit({ where: '', at: '' }, left, right);
  return Array.from(found.values());
};

const inside = ({ where, at }: Place, key: string): Place => ({
  where: `${where}/${key}`,
  at: `${at}/${key}`,
});

const itemOf = ({ where, at }: Place, index: number): Place => ({
  where: `${where}/*`,
  at: `${at}/${index}`,
});

type RowsById = ReadonlyMap<string, Readonly<{ row: Row; index: number }>>;

/** The items of an array by id; null if one has no id, or two have the same. */
const rowsById = (array: readonly unknown[]): RowsById | null => {
  const rows = new Map<string, Readonly<{ row: Row; index: number }>>();
  for (const [index, row] of array.entries()) {
    const id = isRow(row) ? stringField(row, 'id') : null;
    if (!isRow(row) || id === null || rows.has(id)) return null;
    rows.set(id, { row, index });
  }
  return rows;
};

const shown = (value: unknown): string => JSON.stringify(value) ?? 'missing';

const items = ({ length }: readonly unknown[]): string => (length === 1 ? '1 item' : `${length} items`);

type ShapeDifference = Readonly<{ kind: 'shape' | 'note'; where: string; left: string; right: string }>;

/**
 * How the shapes of two JSON values differ: in the types of fields, and in whether a field is always,
 * sometimes or never present. It is only a note if the data may be the reason: one side has an empty array,
 * or null in place of a value.
 */
export const compareShapes = (leftValue: unknown, rightValue: unknown): readonly ShapeDifference[] => {
  const [left, right] = [shapeOf(leftValue), shapeOf(rightValue)];
  return Array.from(new Set([...left.keys(), ...right.keys()]))
    .sort()
    .flatMap((path) => comparePath(path, left, right));
};

const comparePath = (path: string, left: Shape, right: Shape): readonly ShapeDifference[] => {
  const [leftPresence, rightPresence] = [presenceOf(left, path), presenceOf(right, path)];
  if (leftPresence === 'unknown' || rightPresence === 'unknown')
    return isEmptyOnOneSide(path, left, right)
      ? [{ kind: 'note', where: path, left: typesText(left, path), right: typesText(right, path) }]
      : [];
  if (leftPresence !== rightPresence)
    return [
      {
        kind: 'shape',
        where: path,
        left: presenceText(left, path, leftPresence),
        right: presenceText(right, path, rightPresence),
      },
    ];
  const [leftTypes, rightTypes] = [typesAt(left, path), typesAt(right, path)];
  if (isSame(leftTypes, rightTypes)) return [];
  const [leftNonNull, rightNonNull] = [leftTypes.filter(isNotNull), rightTypes.filter(isNotNull)];
  const isDueToNull =
    isSame(leftNonNull, rightNonNull) || leftNonNull.length === 0 || rightNonNull.length === 0;
  return [
    {
      kind: isDueToNull ? 'note' : 'shape',
      where: path,
      left: typesText(left, path),
      right: typesText(right, path),
    },
  ];
};

type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';

/** How many values there are at a path, how many of them are objects, and all their types. */
type PathShape = { values: number; objects: number; readonly types: Set<JsonType> };

/** A JSON value by path. All items of an array share the path `…/*`; the value itself has the empty path. */
type Shape = ReadonlyMap<string, Readonly<PathShape>>;

const shapeOf = (root: unknown): Shape => {
  const shape = new Map<string, PathShape>();
  const visit = (path: string, value: unknown): void => {
    const atPath = shape.get(path) ?? { values: 0, objects: 0, types: new Set() };
    shape.set(path, atPath);
    atPath.values += 1;
    atPath.types.add(typeOf(value));
    if (Array.isArray(value)) {
      for (const item of value) visit(`${path}/*`, item);
    } else if (isRow(value)) {
      atPath.objects += 1;
      for (const [key, field] of Object.entries(value)) visit(`${path}/${key}`, field);
    }
  };
  visit('', root);
  return shape;
};

const typeOf = (value: unknown): JsonType => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'boolean' || type === 'number' || type === 'string' ? type : 'object';
};

/** The path of the object or array around a path; null for the root. */
const parentOf = (path: string): string | null => (path === '' ? null : path.slice(0, path.lastIndexOf('/')));

/** `unknown`: there is no object that could have the field, or no item in the array. */
type Presence = 'always' | 'sometimes' | 'never' | 'unknown';

const presenceOf = (shape: Shape, path: string): Presence => {
  const parent = parentOf(path);
  if (parent === null) return 'always';
  const values = shape.get(path)?.values ?? 0;
  // An array may be empty: only fields can be missing.
  if (path.endsWith('/*')) return values > 0 ? 'always' : 'unknown';
  const objects = shape.get(parent)?.objects ?? 0;
  if (objects === 0) return 'unknown';
  if (values === 0) return 'never';
  return values === objects ? 'always' : 'sometimes';
};

/** Whether both sides have an array here, one of them empty. Its items are not compared any further. */
const isEmptyOnOneSide = (path: string, left: Shape, right: Shape): boolean => {
  const parent = parentOf(path) ?? '';
  return path.endsWith('/*') && [left, right].every((shape) => shape.get(parent)?.types.has('array'));
};

const presenceText = (shape: Shape, path: string, presence: Presence): string =>
  presence === 'never' ? 'never present' : `${presence} present, ${typesText(shape, path)}`;

const typesText = (shape: Shape, path: string): string =>
  typesAt(shape, path).join(' or ') || 'nothing to compare';

const typesAt = (shape: Shape, path: string): readonly JsonType[] =>
  Array.from(shape.get(path)?.types ?? []).sort();

const isNotNull = (type: JsonType): boolean => type !== 'null';

const isSame = (left: readonly string[], right: readonly string[]): boolean => left.join() === right.join();

/** Headers of the API whose values are compared; of its others, only whether they are present. */
const comparedByValue = new Set([
  'content-type',
  'allow',
  'www-authenticate',
  'cache-control',
  'vary',
  'location',
]);

/** Headers that a deployment sets and that stay the same: security, and the software in front of the API. */
const deploymentHeaders = new Set([
  'alt-svc',
  'connection',
  'content-encoding',
  'content-security-policy',
  'content-security-policy-report-only',
  'cross-origin-embedder-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'expect-ct',
  'feature-policy',
  'keep-alive',
  'nel',
  'origin-agent-cluster',
  'permissions-policy',
  'referrer-policy',
  'report-to',
  'reporting-endpoints',
  'server',
  'strict-transport-security',
  'timing-allow-origin',
  'transfer-encoding',
  'upgrade',
  'via',
  'x-content-type-options',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-powered-by',
  'x-robots-tag',
  'x-xss-protection',
]);

/** Headers of the deployment whose values change from response to response. */
const volatileHeaders = new Set([
  'age',
  'content-length',
  'date',
  'server-timing',
  'trace-id',
  'traceparent',
  'tracestate',
  'x-cache',
  'x-cache-hits',
  'x-cloud-trace-context',
  'x-correlation-id',
  'x-request-id',
  'x-response-time',
  'x-runtime',
  'x-served-by',
  'x-timer',
]);

/** Prefixes of the headers that content delivery networks and proxies add. */
const volatilePrefixes = ['cf-', 'fly-', 'x-amz-', 'x-amzn-', 'x-azure-', 'x-envoy-', 'x-vercel-'];

const isVolatile = (name: string): boolean =>
  volatileHeaders.has(name) || volatilePrefixes.some((prefix) => name.startsWith(prefix));

type HeaderDifference = Readonly<{ where: string; left: string; right: string }>;

/**
 * The headers that only one response has, and those whose values are compared and differ. Headers of the
 * deployment rather than of the API are compared only with `allHeaders`; of those that change with each
 * response, only whether they are present.
 */
export const compareHeaders = (
  left: HttpResponse,
  right: HttpResponse,
  allHeaders: boolean,
): readonly HeaderDifference[] => {
  const hasComparedValue = (name: string): boolean =>
    comparedByValue.has(name) || (allHeaders && deploymentHeaders.has(name));
  const shown = (name: string, value: string | undefined): string => {
    if (value === undefined) return 'absent';
    return hasComparedValue(name) ? value : 'present';
  };
  return Array.from(new Set([...Object.keys(left.headers), ...Object.keys(right.headers)]))
    .filter((name) => allHeaders || !(deploymentHeaders.has(name) || isVolatile(name)))
    .sort()
    .flatMap((name) => {
      const [l, r] = [left.headers[name], right.headers[name]];
      const isSame =
        l !== undefined && r !== undefined && (!hasComparedValue(name) || normalize(l) === normalize(r));
      return isSame ? [] : [{ where: name, left: shown(name, l), right: shown(name, r) }];
    });
};

/** Ignores letter case, white space and the order of a list. */
const normalize = (value: string): string =>
  value
    .toLowerCase()
    .split(',')
    .map((part) => part.replaceAll(/\s+/g, ''))
    .sort()
    .join(',');

/** What is compared besides statuses, the API's own headers, shapes and error bodies. */
export type CompareOptions = Readonly<{
  /** The values of successful responses. */
  values: boolean;
  /** The headers that are the deployment's rather than the API's. */
  allHeaders: boolean;
}>;

/**
 * The differences between two responses to the same request. If their statuses differ, nothing else is
 * comparable. Values are compared in error bodies, which the contract fixes, and with `values` in all bodies.
 */
export const compareResponses = (
  left: Exchange,
  right: Exchange,
  { values, allHeaders }: CompareOptions,
): readonly Difference[] => {
  const { status } = left.response;
  const difference = (
    kind: Difference['kind'],
    where: string,
    leftText: string,
    rightText: string,
  ): Difference => ({
    kind,
    where,
    count: 1,
    at: where,
    left: leftText,
    right: rightText,
    request: describeRequest(left.request),
    status,
  });
  if (status !== right.response.status)
    return [difference('status', '', String(status), String(right.response.status))];
  const headers = compareHeaders(left.response, right.response, allHeaders).map((each) =>
    difference('header', each.where, each.left, each.right),
  );
  if (left.request.method !== 'GET') return headers;
  if (left.body === undefined || right.body === undefined)
    return left.body === right.body
      ? headers
      : [...headers, difference('shape', '', format(left), format(right))];
  return [
    ...headers,
    ...compareShapes(left.body, right.body).map((each) =>
      difference(each.kind, each.where, each.left, each.right),
    ),
    ...(values || status >= 400
      ? compareValues(left.body, right.body).map((each) => ({
          ...difference('value', each.where, each.left, each.right),
          ...each,
        }))
      : []),
  ];
};

const format = ({ body }: Exchange): string => (body === undefined ? 'not JSON' : 'JSON');
