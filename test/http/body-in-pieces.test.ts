import { text } from 'node:stream/consumers';
import test from 'ava';
import { inPieces, pieceLength } from '../../src/http/body-in-pieces.js';

for (const [what, body] of [
  ['an empty text', ''],
  ['a text of one piece', 'x'.repeat(pieceLength)],
  ['a text of several pieces', 'abcé'.repeat(pieceLength)],
  ['a character of two halves between pieces', `${'x'.repeat(pieceLength - 1)}😀${'y'.repeat(pieceLength)}`],
] as const) {
  test(`the pieces of ${what} are the text`, async (t) => {
    t.true((await text(inPieces(body))) === body);
  });
}

test('no piece is much longer than the others', async (t) => {
  const lengths: number[] = [];
  for await (const piece of inPieces('😀'.repeat(3 * pieceLength))) lengths.push(String(piece).length);
  t.true(lengths.length >= 6 && lengths.every((length) => length <= pieceLength + 1));
});
