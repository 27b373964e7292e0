import type { HttpResponse } from '../../client/fetch-send.js';
import { patternOf, valueDifferences } from '../compare.js';
import type { Exchange } from '../verify/requests.js';
import { isRow } from '../verify/rows.js';
import type { ReportedDifference } from './diff.js';

/** A difference as it is reported, in one response or one value of it. */
export type ResponseDifference = Omit<ReportedDifference, 'count' | 'requests'>;

type Kind = ResponseDifference['kind'];

const difference = (kind: Kind, where: string, left: string, right: string): ResponseDifference => {
  return { kind, where, at: where, left, right };
};

/**
 * What is compared besides statuses, the API's own headers, shapes and error bodies: the values of successful
 * responses, and the headers that are the deployment's.
 */
export type CompareOptions = Readonly<{ values: boolean; allHeaders: boolean }>;

/**
 * The differences between two responses to the same request. If their statuses differ, nothing else is
 * comparable. Values are compared in error bodies, which the contract fixes, and with `values` in all bodies.
 */
export const compareResponses = (
  left: Exchange,
  right: Exchange,
  { values, allHeaders }: CompareOptions,
): readonly ResponseDifference[] => {
  const { status } = left.response;
  if (status !== right.response.status)
    return [difference('status', '', String(status), String(right.response.status))];
  return [
    ...compareHeaders(left.response, right.response, allHeaders),
    ...(left.request.method === 'GET' ? compareBodies(left.body, right.body, values || status >= 400) : []),
  ];
};

/** `undefined` stands for a body that is not JSON. */
const compareBodies = (left: unknown, right: unknown, values: boolean): readonly ResponseDifference[] => {
  const format = (body: unknown): string => (body === undefined ? 'not JSON' : 'JSON');
  if (format(left) !== format(right)) return [difference('shape', '', format(left), format(right))];
  return left === undefined
    ? []
    : [...compareShapes(left, right), ...(values ? compareValues(left, right) : [])];
};

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Headers of the API whose values are compared; of its others, only whether they are present. */
const comparedByValue = words('content-type allow www-authenticate cache-control vary location');

/** Headers that a deployment sets and that stay the same: security, and the software in front of the API. */
const deploymentHeaders = words(`
  alt-svc connection content-encoding content-security-policy content-security-policy-report-only
  cross-origin-embedder-policy cross-origin-opener-policy cross-origin-resource-policy expect-ct feature-policy
  keep-alive nel origin-agent-cluster permissions-policy referrer-policy report-to reporting-endpoints server
  strict-transport-security timing-allow-origin transfer-encoding upgrade via x-content-type-options
  x-dns-prefetch-control x-download-options x-frame-options x-permitted-cross-domain-policies x-powered-by
  x-robots-tag x-xss-protection`);

/** Headers of the deployment whose values change from response to response. */
const volatileHeaders = words(`
  age content-length date server-timing trace-id traceparent tracestate x-cache x-cache-hits
  x-cloud-trace-context x-correlation-id x-request-id x-response-time x-runtime x-served-by x-timer`);

/** The beginnings of the headers that content delivery networks and proxies add; they change as well. */
const volatilePrefix = /^(?:cf|fly|x-amz|x-amzn|x-azure|x-envoy|x-vercel)-/;

/**
 * The headers that only one response has, and those whose values are compared and differ. Headers of the
 * deployment rather than of the API are compared only with `allHeaders`; of those that change with each
 * response, only whether they are present.
 */
export const compareHeaders = (
  { headers: left }: HttpResponse,
  { headers: right }: HttpResponse,
  allHeaders: boolean,
): readonly ResponseDifference[] =>
  Array.from(new Set([...Object.keys(left), ...Object.keys(right)]))
    .filter(
      (name) =>
        allHeaders ||
        !(deploymentHeaders.has(name) || volatileHeaders.has(name) || volatilePrefix.test(name)),
    )
    .sort()
    .flatMap((name) => {
      const isCompared = comparedByValue.has(name) || deploymentHeaders.has(name);
      const shown = (value: string | undefined): string =>
        value === undefined ? 'absent' : isCompared ? value : 'present';
      const [leftText, rightText] = [shown(left[name]), shown(right[name])];
      return normalized(leftText) === normalized(rightText)
        ? []
        : [difference('header', name, leftText, rightText)];
    });

/** Ignores letter case, white space and the order of a list. */
const normalized = (value: string): string =>
  value.toLowerCase().replaceAll(/\s+/g, '').split(',').sort().join();

/**
 * How the shapes of two JSON values differ: in the types of fields, and in whether a field is always,
 * sometimes or never present. It is only a note if the data may be the reason: one side has an empty array,
 * or null in place of a value.
 */
export const compareShapes = (leftBody: unknown, rightBody: unknown): readonly ResponseDifference[] => {
  const [leftShape, rightShape] = [shapeOf(leftBody), shapeOf(rightBody)];
  return Array.from(new Set([...leftShape.keys(), ...rightShape.keys()]))
    .sort()
    .flatMap((where) => {
      const [left, right] = [placeIn(leftShape, where), placeIn(rightShape, where)];
      if (left.presence === 'unknown' || right.presence === 'unknown')
        return left.isInArray && right.isInArray ? [difference('note', where, left.types, right.types)] : [];
      if (left.presence !== right.presence)
        return [difference('shape', where, left.presenceText, right.presenceText)];
      if (left.types === right.types) return [];
      const isDueToNull = left.nonNull === right.nonNull || left.nonNull === '' || right.nonNull === '';
      return [difference(isDueToNull ? 'note' : 'shape', where, left.types, right.types)];
    });
};

/** How many values of each type there are at each path. All items of an array share the path `…/*`. */
type Shape = ReadonlyMap<string, ReadonlyMap<string, number>>;

const shapeOf = (root: unknown): Shape => {
  const shape = new Map<string, Map<string, number>>();
  const visit = (path: string, value: unknown): void => {
    const types = shape.get(path) ?? new Map<string, number>();
    const type = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
    shape.set(path, types.set(type, (types.get(type) ?? 0) + 1));
    if (Array.isArray(value)) for (const item of value) visit(`${path}/*`, item);
    else if (isRow(value)) for (const [key, field] of Object.entries(value)) visit(`${path}/${key}`, field);
  };
  visit('', root);
  return shape;
};

/**
 * What a shape has at a path. The presence is unknown where there is no object that could have the field, or
 * no item in the array: an array may be empty, so only fields can be missing.
 */
const placeIn = (shape: Shape, path: string) => {
  const counts = shape.get(path) ?? new Map<string, number>();
  const parent = shape.get(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
  const isItem = path.endsWith('/*');
  const values = Array.from(counts.values()).reduce((sum, count) => sum + count, 0);
  const possible = path === '' || isItem ? values : (parent?.get('object') ?? 0);
  const presence =
    possible === 0 ? 'unknown' : values === 0 ? 'never' : values === possible ? 'always' : 'sometimes';
  const sorted = Array.from(counts.keys()).sort();
  const types = sorted.join(' or ') || 'nothing to compare';
  return {
    presence,
    presenceText: presence === 'never' ? 'never present' : `${presence} present, ${types}`,
    types,
    nonNull: sorted.filter((type) => type !== 'null').join(),
    /** Whether it is an item, and there is an array, which may be empty. */
    isInArray: isItem && parent?.has('array') === true,
  };
};

/** What a server has in place of a row that only the other one has. */
export const noSuchRow = 'no such row';

/** Where two JSON values differ, except for fields that only one side has: those differ in shape. */
export const compareValues = (leftBody: unknown, rightBody: unknown): readonly ResponseDifference[] =>
  valueDifferences(leftBody, rightBody).flatMap(({ path, left, right }) => {
    const isOnBothSides = left !== undefined && right !== undefined;
    if (!isOnBothSides && typeof path.at(-1) === 'string') return [];
    const shown = (value: unknown): string => {
      if (value === undefined) return noSuchRow;
      if (Array.isArray(left) && Array.isArray(right)) return items(Object(value).length);
      return JSON.stringify(!isOnBothSides && isRow(value) ? value.id : value);
    };
    const at = path.map((part) => `/${part}`).join('');
    return [{ ...difference('value', patternOf(path), shown(left), shown(right)), at }];
  });

const items = (count: number): string => (count === 1 ? '1 item' : `${count} items`);
