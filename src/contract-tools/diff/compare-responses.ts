import { describeRequest } from '../../client/outgoing-request.js';
import { compareHeaders } from './compare-headers.js';
import { compareShapes } from './compare-shapes.js';
import { compareValues } from './compare-values.js';
import type { Difference } from './diff-report.js';
import type { Exchange } from './exchange.js';

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
