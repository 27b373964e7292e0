import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import * as io from 'io-ts';
import { inContractOrder } from '../../src/api/in-contract-order.js';
import { pageOfRows, pageRenderer } from '../../src/api/paging.js';
import { type Rendered, render, renderError, renderList } from '../../src/api/rendered.js';
import { rowRenderer } from '../../src/api/row-renderer.js';
import { described } from '../../src/codecs/described.js';
import { listOf } from '../../src/codecs/list.js';
import { nullable } from '../../src/codecs/nullable.js';
import { keepWithin } from '../../src/common/kept-values.js';
import { ErrorBody, UnauthorizedBody } from '../../src/contract/error-bodies.js';
import { pageOf } from '../../src/contract/page.js';

const Owner = io.strict({ id: io.string, name: io.string }, 'Owner');
const Item = io.strict(
  { id: described(io.string, 'Id.'), owner: described(nullable(Owner), 'Owner.'), count: io.number },
  'Item',
);

const json = <C extends io.Mixed>(result: E.Either<unknown, Rendered<C>>): string =>
  E.isRight(result) ? result.right.json : 'refused';

const keep = keepWithin(2 ** 20);

const renderer = rowRenderer(
  {
    codec: Item,
    view: (row: Readonly<{ id: string }>) => ({ count: 1, owner: null, id: row.id }),
    nameOf: ({ id }) => `row ${id}`,
  },
  keep,
);

test('keys are rendered in the order of the codec, in nested objects as well', (t) => {
  const value = { count: 1, owner: { name: 'n', id: 'o' }, id: 'i' };
  t.is(json(render(Item, value)), '{"id":"i","owner":{"id":"o","name":"n"},"count":1}');
});

test('keys that the codec does not know are not rendered', (t) => {
  const value = { id: 'i', owner: { id: 'o', name: 'n', secret: 1 }, count: 1, secret: 2 };
  t.is(json(render(Item, value)), '{"id":"i","owner":{"id":"o","name":"n"},"count":1}');
});

test('a value that its codec refuses is not rendered, and every problem has its path', (t) => {
  const result = render(Item, {
    id: 'i',
    owner: { id: 'o', name: JSON.parse('7') },
    count: JSON.parse('"1"'),
  });
  t.deepEqual(E.isLeft(result) && result.left.map(({ path }) => path), [['owner', 'name'], ['count']]);
});

test('a value that is not an object is left to the codec', (t) => {
  t.is(inContractOrder(Item, 'text'), 'text');
  t.is(inContractOrder(nullable(Owner), null), null);
});

test('a list has its items in their order', (t) => {
  const items = renderer.all([{ id: 'b' }, { id: 'a' }], []);
  t.true(E.isRight(items));
  if (E.isRight(items)) {
    t.is(
      renderList(listOf(Item), items.right).json,
      '[{"id":"b","owner":null,"count":1},{"id":"a","owner":null,"count":1}]',
    );
    t.is(renderList(listOf(Item), []).json, '[]');
  }
});

test('a page has its items, and then its figures, in the order of the contract', (t) => {
  const page = pageOfRows(pageOf(Item), renderer, { rows: [{ id: 'a' }], total: 3 }, { page: 2, limit: 2 });
  t.is(
    json(page),
    '{"items":[{"id":"a","owner":null,"count":1}],"page":2,"limit":2,"totalItems":3,"totalPages":2}',
  );
});

test('a page with an impossible total is refused, and names the total', (t) => {
  const page = pageOfRows(pageOf(Item), renderer, { rows: [], total: 1.5 }, { page: 1, limit: 2 });
  t.true(E.isLeft(page));
  if (E.isLeft(page)) {
    t.is(page.left.row, 'the total of the list');
    t.deepEqual(page.left.problems[0]?.path, ['totalItems']);
  }
});

test('a page with an item that breaks the contract is refused, and names the row', (t) => {
  const rows = [{ id: 'a' }, { id: JSON.parse('7') }];
  const page = pageOfRows(pageOf(Item), renderer, { rows, total: 2 }, { page: 1, limit: 2 });
  t.true(E.isLeft(page));
  if (E.isLeft(page)) {
    t.is(page.left.row, 'row 7');
    t.deepEqual(page.left.problems[0]?.path, ['items', '1', 'id']);
  }
});

test('the page of a frozen set of rows is kept, for each query', (t) => {
  const render = pageRenderer(pageOf(Item), renderer, keep);
  const rows = Object.freeze({ rows: Object.freeze([Object.freeze({ id: 'a' })]), total: 1 });
  const right = (page: ReturnType<typeof render>) => (E.isRight(page) ? page.right : t.fail());
  const query = { page: 1, limit: 2 };
  const first = right(render(rows, query));
  t.is(right(render(rows, query)), first);
  t.not(right(render({ ...rows }, query)), first, 'another set of rows');
  t.is(json(render(rows, { page: 2, limit: 2 }))?.includes('"page":2'), true);
  t.is(right(render(rows, query)), first);
  for (let page = 3; page < 30; page += 1) render(rows, { page, limit: 2 });
  t.not(right(render(rows, query)), first, 'only so many of one set of rows');
  const open = { rows: [{ id: 'a' }], total: 1 };
  t.not(right(render(open, query)), right(render(open, query)));
});

test('a long list is rendered in turns, in its order, and an error names the place in the whole list', async (t) => {
  const rows = Array.from({ length: 450 }, (_, i) => ({ id: String(i) }));
  let turns = 0;
  const count = (): void => {
    turns += 1;
    setImmediate(count).unref();
  };
  setImmediate(count).unref();
  const items = await renderer.allInTurns(rows, [])();
  t.true(turns >= 2, 'others had their turn');
  t.deepEqual(
    E.isRight(items) && items.right.map((item) => JSON.parse(item.json).id),
    rows.map(({ id }) => id),
  );
  const broken = await renderer.allInTurns([...rows, { id: JSON.parse('7') }], [])();
  t.deepEqual(E.isLeft(broken) && broken.left.problems[0]?.path, ['450', 'id']);
});

test('an error body has the message that its codec prescribes, or else the given one', (t) => {
  t.is(renderError(UnauthorizedBody, 'ignored').json, '{"error":"Unauthorized"}');
  t.is(renderError(ErrorBody, 'limit: expected …').json, '{"error":"limit: expected …"}');
});
