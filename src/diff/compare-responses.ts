import { describeRequest } from '../client/api-request.js';
import { compareHeaders } from './compare-headers.js';
import { compareShapes } from './compare-shapes.js';
import { compareValues } from './compare-values.js';
import type { Difference } from './diff-report.js';
import type { Exchange } from './exchange.js';

/**
 * The differences between two responses to the same request. If their statuses differ, nothing else is
 * comparable. Values are compared in error bodies, which the contract fixes, and with `values` in all bodies.
 */
export const compareResponses = (left: Exchange, right: Exchange, values: boolean): readonly Difference[] => {
  const request = describeRequest(left.request);
  const [leftStatus, rightStatus] = [left.response.status, right.response.status];
  if (leftStatus !== rightStatus)
    return [{ kind: 'status', request, where: '', left: String(leftStatus), right: String(rightStatus) }];
  const headers = compareHeaders(left.response, right.response).map(
    (each): Difference => ({ kind: 'header', request, ...each }),
  );
  if (left.request.method !== 'GET') return headers;
  if (left.body === undefined || right.body === undefined)
    return left.body === right.body
      ? headers
      : [...headers, { kind: 'shape', request, where: '', left: format(left), right: format(right) }];
  return [
    ...headers,
    ...compareShapes(left.body, right.body).map((each): Difference => ({ request, ...each })),
    ...(values || leftStatus >= 400
      ? compareValues(left.body, right.body).map((each): Difference => ({ kind: 'value', request, ...each }))
      : []),
  ];
};

const format = ({ body }: Exchange): string => (body === undefined ? 'not JSON' : 'JSON');
