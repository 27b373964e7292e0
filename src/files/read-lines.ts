import type { FileHandle } from 'node:fs/promises';

/** A line of a file, without its end, and where it begins. `isWhole`: it has an end. */
export type FileLine = Readonly<{ bytes: Buffer; offset: number; number: number; isWhole: boolean }>;

const pieceSize = 1024 * 1024;
const lineEnd = '\n'.charCodeAt(0);

/** Reads a file line by line, so that no more than a line and a piece of it is in memory. */
export const readLines = async function* (handle: Pick<FileHandle, 'read'>): AsyncGenerator<FileLine> {
  let [position, offset, number] = [0, 0, 1];
  let rest: readonly Buffer[] = [];
  for (;;) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(pieceSize), 0, pieceSize, position);
    if (bytesRead === 0) break;
    position += bytesRead;
    const piece = buffer.subarray(0, bytesRead);
    let start = 0;
    for (;;) {
      const end = piece.indexOf(lineEnd, start);
      if (end === -1) break;
      const bytes =
        rest.length === 0 ? piece.subarray(start, end) : Buffer.concat([...rest, piece.subarray(0, end)]);
      yield { bytes, offset, number, isWhole: true };
      rest = [];
      offset += bytes.length + 1;
      number += 1;
      start = end + 1;
    }
    if (start < piece.length) rest = [...rest, piece.subarray(start)];
  }
  if (rest.length > 0) yield { bytes: Buffer.concat(rest), offset, number, isWhole: false };
};
