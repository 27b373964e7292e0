import test from 'ava';
import { traceContext } from '../../src/api/request.js';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parentId = 'b7ad6b7169203331';

for (const header of [
  `00-${traceId}-${parentId}-01`,
  `00-${traceId}-${parentId}-00`,
  `cc-${traceId}-${parentId}-01`,
  `cc-${traceId}-${parentId}-01-what-the-future-will-be-like`,
]) {
  test(`a valid traceparent names the trace and the parent: ${header}`, (t) => {
    t.deepEqual(traceContext(header), { traceId, parentId });
  });
}

for (const header of [
  undefined,
  '',
  `ff-${traceId}-${parentId}-01`,
  `00-${'0'.repeat(32)}-${parentId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${traceId}-${parentId}-01-more`,
  `00-${traceId}-${parentId}-01.`,
  `cc-${traceId}-${parentId}-01.more`,
  `00-${traceId.toUpperCase()}-${parentId}-01`,
  `00-${traceId}-${parentId}`,
  `00-${traceId.slice(1)}-${parentId}-01`,
  `0-${traceId}-${parentId}-01`,
  ` 00-${traceId}-${parentId}-01`,
]) {
  test(`an invalid traceparent names none: ${header}`, (t) => {
    t.is(traceContext(header), null);
  });
}
