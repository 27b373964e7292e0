import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import * as io from 'io-ts';
import { type Rendered, render, renderInTurns } from '../../src/api/rendered.js';
import { described, listOf, nullable } from '../../src/contract/codecs/combinators.js';
import { compression } from '../../src/koa/compression.js';

const Owner = io.strict({ id: io.string, name: io.string }, 'Owner');
const Item = io.strict(
  { id: described(io.string, 'Id.'), owner: described(nullable(Owner), 'Owner.'), count: io.number },
  'Item',
);

const json = <C extends io.Mixed>(result: E.Either<unknown, Rendered<C>>): string =>
  E.isRight(result) ? result.right.json : 'refused';

test('the keys of a codec are rendered in its order, in nested objects as well, and no others', (t) => {
  const value = { count: 1, owner: { name: 'n', id: 'o', secret: 1 }, id: 'i', secret: 2 };
  t.is(json(render(Item, value)), '{"id":"i","owner":{"id":"o","name":"n"},"count":1}');
});

test('a long list is rendered in turns with the same bytes, and its problems have their paths', async (t) => {
  const items = Array.from({ length: 250 }, (_, i) => ({ id: `i${i}`, owner: null, count: i }));
  let hasHadATurn = false;
  setImmediate(() => {
    hasHadATurn = true;
  });
  const rendered = await renderInTurns(listOf(Item), items);
  t.true(hasHadATurn);
  t.is(json(rendered), json(render(listOf(Item), items)));
  t.is(json(await renderInTurns(listOf(Item), [])), '[]');
  const broken = await renderInTurns(
    listOf(Item),
    items.with(201, { id: 'i', owner: null, count: JSON.parse('"1"') }),
  );
  t.deepEqual(E.isLeft(broken) && broken.left.map(({ path }) => path), [['201', 'count']]);
});

test('a body is compressed once for each encoding, and again if there was no memory for it', async (t) => {
  const rendered = render(io.string, 'a'.repeat(5_000));
  if (E.isLeft(rendered)) return t.fail();
  const body = rendered.right;
  t.is(await body.compressed('br', async () => null), null);
  const { json: compress } = compression;
  const [first, again] = await Promise.all([
    body.compressed('br', compress),
    body.compressed('br', compress),
  ]);
  t.truthy(first);
  t.is(first, again);
  t.not(await body.compressed('gzip', compress), first);
});
