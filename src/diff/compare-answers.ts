import { describeRequest } from '../client/api-request.js';
import type { Exchange } from '../verify/caching-client.js';
import { compareHeaders } from './compare-headers.js';
import { compareShapes } from './compare-shapes.js';
import { compareValues } from './compare-values.js';
import type { Difference } from './difference.js';
import { shapeOf } from './shape-of.js';

/**
 * All that two answers to one request differ in. Values are compared where they are meant to be equal: of failures, whose bodies
 * are literals, and with `values` of everything. Of another status, nothing else can be compared.
 */
export const compareAnswers = (left: Exchange, right: Exchange, values: boolean): readonly Difference[] => {
  const request = describeRequest(left.request);
  const [l, r] = [left.response, right.response];
  if (l.status !== r.status)
    return [{ kind: 'status', request, where: '', left: String(l.status), right: String(r.status) }];
  const headers = compareHeaders(l, r).map((each): Difference => ({ kind: 'header', request, ...each }));
  if (left.request.method !== 'GET') return headers;
  if (left.body === undefined || right.body === undefined) {
    if (left.body === right.body) return headers;
    const words = (body: unknown): string => (body === undefined ? 'no JSON' : 'JSON');
    return [
      ...headers,
      { kind: 'shape', request, where: '', left: words(left.body), right: words(right.body) },
    ];
  }
  return [
    ...headers,
    ...compareShapes(shapeOf(left.body), shapeOf(right.body)).map((each) => ({ request, ...each })),
    ...(values || l.status >= 400
      ? compareValues(left.body, right.body).map((each): Difference => ({ kind: 'value', request, ...each }))
      : []),
  ];
};
