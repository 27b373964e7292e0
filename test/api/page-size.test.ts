import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import * as io from 'io-ts';
import { renderPage, renderWith } from '../../src/api/rendered.js';
import { formatProblem } from '../../src/codecs/problem.js';
import { pageOf } from '../../src/contract/page.js';

const Item = io.strict({ id: io.string }, 'Item');

test('a page of more items than the contract allows is not rendered', (t) => {
  const item = renderWith(Item)({ id: 'a' });
  if (E.isLeft(item)) return t.fail();
  const info = { page: 1, limit: 100, totalItems: 101, totalPages: 2 };
  const pageWith = (count: number) =>
    renderPage(
      pageOf(Item),
      Array.from({ length: count }, () => item.right),
      info,
    );
  t.true(E.isRight(pageWith(100)));
  const tooLong = pageWith(101);
  t.deepEqual(E.isLeft(tooLong) ? tooLong.left.map(formatProblem) : [], [
    '/items: expected at most 100 items, got 101',
  ]);
});
