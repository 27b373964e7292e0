import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import * as io from 'io-ts';
import { keepWithin } from '../../../src/common/lru.js';
import { described, listOf, nullable } from '../../../src/contract/codecs/combinators.js';
import { ErrorBody, UnauthorizedBody } from '../../../src/contract/error-bodies.js';
import { pageOf } from '../../../src/contract/page-and-limit.js';
import { compression } from '../../../src/http/compression.js';
import { pageOfRows, pageRenderer } from '../../../src/http/operations/handlers.js';
import {
  inContractOrder,
  type Rendered,
  render,
  renderError,
  renderList,
} from '../../../src/http/operations/rendered.js';

const Owner = io.strict({ id: io.string, name: io.string }, 'Owner');
const Item = io.strict(
  { id: described(io.string, 'Id.'), owner: described(nullable(Owner), 'Owner.'), count: io.number },
  'Item',
);

const json = <C extends io.Mixed>(result: E.Either<unknown, Rendered<C>>): string =>
  E.isRight(result) ? result.right.json : 'refused';

const keep = keepWithin(2 ** 20);

const view = {
  view: (row: Readonly<{ id: string }>) => ({ count: 1, owner: null, id: row.id }),
  nameOf: ({ id }: Readonly<{ id: string }>) => `row ${id}`,
};

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
  const items = ['b', 'a'].map((id) => render(Item, { id, owner: null, count: 1 }));
  t.is(
    renderList(
      listOf(Item),
      items.filter(E.isRight).map(({ right }) => right),
    ).json,
    '[{"id":"b","owner":null,"count":1},{"id":"a","owner":null,"count":1}]',
  );
  t.is(renderList(listOf(Item), []).json, '[]');
});

test('a page has its items, and then its figures, in the order of the contract', (t) => {
  const page = pageOfRows(pageOf(Item), view, { rows: [{ id: 'a' }], total: 3 }, { page: 2, limit: 2 });
  t.is(
    json(page),
    '{"items":[{"id":"a","owner":null,"count":1}],"page":2,"limit":2,"totalItems":3,"totalPages":2}',
  );
});

test('a page with an impossible total is refused, and names the total', (t) => {
  const page = pageOfRows(pageOf(Item), view, { rows: [], total: 1.5 }, { page: 1, limit: 2 });
  t.true(E.isLeft(page));
  if (E.isLeft(page)) {
    t.is(page.left.row, 'the total of the list');
    t.deepEqual(page.left.problems[0]?.path, ['totalItems']);
  }
});

test('a page with items that break the contract is refused, and names the first of their rows', (t) => {
  const rows = [{ id: 'a' }, { id: JSON.parse('7') }, { id: JSON.parse('8') }];
  const page = pageOfRows(pageOf(Item), view, { rows, total: 2 }, { page: 1, limit: 2 });
  t.true(E.isLeft(page));
  if (E.isLeft(page)) {
    t.is(page.left.row, 'row 7');
    t.deepEqual(
      page.left.problems.map(({ path }) => path),
      [['items', '1', 'id']],
    );
  }
});

test('the page of a frozen set of rows is kept, for each query', (t) => {
  const render = pageRenderer(pageOf(Item), view, keep);
  const rows = Object.freeze({ rows: Object.freeze([Object.freeze({ id: 'a' })]), total: 1 });
  const right = (page: ReturnType<typeof render>) => (E.isRight(page) ? page.right : t.fail());
  const query = { page: 1, limit: 2 };
  const first = right(render(rows, query));
  t.is(right(render(rows, query)), first);
  t.not(right(render({ ...rows }, query)), first, 'another set of rows');
  t.is(right(render(rows, { ...query })), first, 'the same query, decoded again');
  t.is(json(render(rows, { page: 2, limit: 2 }))?.includes('"page":2'), true);
  t.is(right(render(rows, query)), first);
  for (let page = 3; page < 30; page += 1) render(rows, { page, limit: 2 });
  t.not(right(render(rows, query)), first, 'only so many of one set of rows');
  const more = { ...query, filter: 'x' };
  const filtered = right(render(rows, more));
  t.not(right(render(rows, query)), filtered, 'a query with more in it is another one');
  t.is(right(render(rows, { ...more })), filtered);
  const open = { rows: [{ id: 'a' }], total: 1 };
  t.not(right(render(open, query)), right(render(open, query)));
});

const body = (text: string): Rendered<io.Mixed> => {
  const result = render(io.string, text);
  if (E.isLeft(result)) throw new Error('not rendered');
  return result.right;
};

test('what is sent is the JSON in UTF-8, and what is kept is its bytes', (t) => {
  for (const text of ['plain', 'é', '€ 𝄞', '"\\\n', '\ud800']) {
    const rendered = body(text);
    const { json } = rendered;
    t.is(json, JSON.stringify(text));
    t.deepEqual(Buffer.from(rendered.bytes), Buffer.from(json));
    t.is(rendered.json, json);
    t.true(rendered.weight >= rendered.bytes.length);
    t.is(rendered.bytes.buffer.byteLength, rendered.bytes.length, 'memory of its own');
  }
});

test('a body is compressed once for each encoding, and with memory of its own', async (t) => {
  for (const length of [5_000, 200_000]) {
    const rendered = body('a'.repeat(length));
    const { compress } = compression;
    const [first, again] = await Promise.all([
      rendered.compressed('br', compress),
      rendered.compressed('br', compress),
    ]);
    t.is(first, again);
    t.is(await rendered.compressed('br', compress), first);
    t.is(first?.buffer.byteLength, first?.byteLength);
    t.is(brotliDecompressSync(first ?? '').toString(), rendered.json);
    const other = await rendered.compressed('gzip', compress);
    t.is(gunzipSync(other ?? '').toString(), rendered.json);
  }
});

test('a body that there was no memory to compress is compressed the next time', async (t) => {
  const rendered = body('a'.repeat(5_000));
  t.is(await rendered.compressed('br', async () => null), null);
  t.truthy(await rendered.compressed('br', compression.compress));
});

test('an error body has the message that its codec prescribes, or else the given one', (t) => {
  t.is(renderError(UnauthorizedBody, 'ignored').json, '{"error":"Unauthorized"}');
  t.is(renderError(ErrorBody, 'limit: expected …').json, '{"error":"limit: expected …"}');
});
