import test from 'ava';
import { traceContext } from '../../src/api/request.js';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parentId = 'b7ad6b7169203331';

const ids = `${traceId}-${parentId}`;

test('a valid traceparent names the trace and the parent, also one of a later version', (t) => {
  for (const header of [
    `00-${ids}-01`,
    `00-${ids}-00`,
    `cc-${ids}-01`,
    `cc-${ids}-01-what-the-future-will-be`,
  ])
    t.deepEqual(traceContext(header), { traceId, parentId }, header);
});

test('an invalid traceparent names none', (t) => {
  for (const header of [
    ...[undefined, '', `ff-${ids}-01`, `00-${ids}-01-more`, `00-${ids}-01.`, `cc-${ids}-01.more`],
    ...[`00-${ids}`, `0-${ids}-01`, ` 00-${ids}-01`, `00-${ids.slice(1)}-01`],
    `00-${'0'.repeat(32)}-${parentId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${parentId}-01`,
  ])
    t.is(traceContext(header), null, header);
});
