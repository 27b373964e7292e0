import { Readable } from 'node:stream';

/** Longer bodies are sent in pieces of this many characters. */
export const pieceLength = 64 * 1024;

/**
 * A long text as a stream of pieces. A text that is written at once is copied for each client and stays in
 * memory until the client has read it all; of a stream, only a piece does.
 */
export const inPieces = (text: string): Readable =>
  Readable.from(pieces(text), { objectMode: true, highWaterMark: 1 });

function* pieces(text: string): Generator<string> {
  for (let start = 0, stop = 0; start < text.length; start = stop) {
    stop = start + pieceLength;
    // The two halves of a character beyond the basic plane stay together.
    if (/[\ud800-\udbff]/.test(text.charAt(stop - 1))) stop += 1;
    yield text.slice(start, stop);
  }
}
