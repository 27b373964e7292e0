import { brotliDecompressSync } from 'node:zlib';
import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import * as io from 'io-ts';
import { keepWithin } from '../../src/common/kept-values.js';
import { compressBodies } from '../../src/http/compression.js';
import type { CompressBody } from '../../src/http/operations/json-sender.js';
import { type Rendered, render } from '../../src/http/operations/rendered.js';

const body = (text: string, isKept: boolean): Rendered<io.Mixed> => {
  const rendered = render(io.string, text);
  if (E.isLeft(rendered)) throw new Error('not rendered');
  if (isKept) rendered.right.keep();
  return rendered.right;
};

const compressed = (compress: CompressBody<void>, of: Rendered<io.Mixed>): Promise<Uint8Array | null> =>
  new Promise((resolve) => compress(of, 'br', resolve));

test('what is made of a kept body is kept, once and with memory of its own', async (t) => {
  const compress = compressBodies(keepWithin(2 ** 20));
  for (const length of [5_000, 200_000]) {
    const kept = body('a'.repeat(length), true);
    const [first, second] = [await compressed(compress, kept), await compressed(compress, kept)];
    t.is(first, second);
    t.is(first?.buffer.byteLength, first?.byteLength);
    t.is(brotliDecompressSync(first ?? '').toString(), kept.json);
  }
});

test('what is made of other bodies is not kept', async (t) => {
  const compress = compressBodies(keepWithin(2 ** 20));
  const other = body('a'.repeat(5_000), false);
  t.not(await compressed(compress, other), await compressed(compress, other));
});

test('compressed bodies take room, and give way to others', async (t) => {
  const keep = keepWithin(2_000);
  const compress = compressBodies(keep);
  const bodies = Array.from({ length: 20 }, (_, i) => body(`${i}`.repeat(5_000), true));
  const first = await Promise.all(bodies.map((each) => compressed(compress, each)));
  const [oldest] = bodies;
  t.not(await compressed(compress, oldest ?? body('', true)), first[0] ?? null);
  const newest = bodies.at(-1) ?? body('', true);
  t.is(await compressed(compress, newest), first.at(-1) ?? null);
});

test('without room, nothing is kept', async (t) => {
  const compress = compressBodies(null);
  const kept = body('a'.repeat(5_000), true);
  t.not(await compressed(compress, kept), await compressed(compress, kept));
});

test('a long body that is requested again while it is compressed is compressed once', async (t) => {
  const compress = compressBodies(null);
  const long = body('a'.repeat(200_000), false);
  const [first, second] = await Promise.all([compressed(compress, long), compressed(compress, long)]);
  t.is(first, second);
  t.not(await compressed(compress, long), first);
});
