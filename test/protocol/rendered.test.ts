import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import * as io from 'io-ts';
import { described, listOf, nullable } from '../../src/contract/codecs/combinators.js';
import { ErrorBody, UnauthorizedBody } from '../../src/contract/error-bodies.js';
import { compression } from '../../src/http/compression.js';
import {
  inContractOrder,
  type Rendered,
  render,
  renderError,
  renderInTurns,
} from '../../src/protocol/rendered.js';

const Owner = io.strict({ id: io.string, name: io.string }, 'Owner');
const Item = io.strict(
  { id: described(io.string, 'Id.'), owner: described(nullable(Owner), 'Owner.'), count: io.number },
  'Item',
);

const json = <C extends io.Mixed>(result: E.Either<unknown, Rendered<C>>): string =>
  E.isRight(result) ? result.right.json : 'refused';

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

test('a long list is rendered in turns, as a short one, and its problems have their places', async (t) => {
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
    const { json: compress } = compression;
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
  t.truthy(await rendered.compressed('br', compression.json));
});

test('an error body has the message that its codec prescribes, or else the given one', (t) => {
  t.is(renderError(UnauthorizedBody, 'ignored').json, '{"error":"Unauthorized"}');
  t.is(renderError(ErrorBody, 'limit: expected …').json, '{"error":"limit: expected …"}');
});
