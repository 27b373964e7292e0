import test from 'ava';
import { anonymous, getRequest } from '../../../src/client/api-request.js';
import { completeRows, knownPage, knownRows } from '../../../src/verify/checks/known-rows.js';
import type { Page } from '../../../src/verify/request-needs.js';

const request = (page: number) =>
  getRequest(
    '/api/v1/findings',
    [
      ['page', String(page)],
      ['limit', '2'],
    ],
    anonymous,
  );

const pageOf = (number: number, ids: readonly unknown[], totalItems: unknown): Page => ({
  request: request(number),
  path: [],
  value: { totalItems },
  items: ids.map((value, index) => ({ value, request: request(number), path: ['items', String(index)] })),
});

const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id }));

test('the rows of all pages are known by their position', (t) => {
  const known = knownRows([pageOf(1, [a, b], 5), pageOf(2, [c, d], 5), pageOf(3, [e], 5)]);
  t.deepEqual(known, { rows: [a, b, c, d, e], totalItems: 5, isComplete: true });
  t.deepEqual(knownPage(known, 2, 3), [d, e]);
  t.is(knownPage(known, 3, 3), null, 'a page beyond the last');
});

test('if pages are missing, or items are no objects, a page is known if all of its rows are', (t) => {
  const known = knownRows([pageOf(1, [a, b], 5), pageOf(3, [e], 5)]);
  t.false(known.isComplete);
  t.deepEqual(knownPage(known, 1, 2), [a, b]);
  t.is(knownPage(known, 1, 3), null);
  t.deepEqual(knownPage(known, 5, 1), [e]);
  t.false(knownRows([pageOf(1, [a, 'b'], 2)]).isComplete);
});

test('the first page of an empty list is empty', (t) => {
  t.deepEqual(knownPage(completeRows([]), 1, 10), []);
});
