import type { HttpResponse } from '../../client/fetch-send.js';
import { describeRequest } from '../../client/outgoing-request.js';
import type { Exchange } from '../verify/requests.js';
import { compareShapes, compareValues } from './compare-bodies.js';
import type { Difference } from './diff-report.js';

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
