import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import * as io from 'io-ts';
import { formatProblem } from '../../../src/contract/codecs/problem.js';
import { pageOf } from '../../../src/contract/page-and-limit.js';
import { render } from '../../../src/http/operations/rendered.js';

test('a page of more items than the contract allows is not rendered', (t) => {
  const page = pageOf(io.strict({ id: io.string }, 'Item'));
  const info = { page: 1, limit: 100, totalItems: 101, totalPages: 2 };
  const pageWith = (count: number) =>
    render(page, { items: Array.from({ length: count }, () => ({ id: 'a' })), ...info });
  t.true(E.isRight(pageWith(100)));
  const tooLong = pageWith(101);
  t.deepEqual(E.isLeft(tooLong) ? tooLong.left.map((each) => formatProblem(each)) : [], [
    '/items: expected array of at most 100 items, got an array of 101',
  ]);
});
