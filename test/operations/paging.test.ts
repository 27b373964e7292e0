import test from 'ava';
import { pageInfo, rangeOf } from '../../src/operations/handlers.js';

test('a page starts after those before it', (t) => {
  t.deepEqual(rangeOf({ page: 1, limit: 25 }), { offset: 0, limit: 25 });
  t.deepEqual(rangeOf({ page: 3, limit: 7 }), { offset: 14, limit: 7 });
});

test('a page too far away stays within exact arithmetic', (t) => {
  const { offset, limit } = rangeOf({ page: Number.MAX_SAFE_INTEGER, limit: 100 });
  t.true(Number.isSafeInteger(offset) && Number.isSafeInteger(offset + limit));
});

test('pages are counted up, and nothing has none', (t) => {
  const pages = (total: number, limit: number) => pageInfo({ page: 1, limit }, total).totalPages;
  t.deepEqual([pages(0, 25), pages(1, 25), pages(25, 25), pages(26, 25), pages(100, 1)], [0, 1, 1, 2, 100]);
});
