import type { FileHandle } from 'node:fs/promises';

/** Requests are answered between two pieces: one takes about a millisecond to make. */
const pieceSize = 64 * 1024;

/** What is synchronized at once, so that the disk is not busy for long while others wait for it. */
const syncedAtOnce = 8 * 1024 * 1024;

/**
 * Writes lines to a file from `start` on, and synchronizes it. The lines are taken as they are written, so
 * they need not be in memory together. Returns the length of the file.
 */
export const writeInPieces = async (
  handle: Pick<FileHandle, 'write' | 'datasync'>,
  lines: Iterable<string>,
  start: number,
): Promise<number> => {
  let [length, synced] = [start, start];
  let piece: string[] = [];
  let pending = 0;
  const writePiece = async (): Promise<void> => {
    const bytes = Buffer.from(piece.join(''));
    piece = [];
    pending = 0;
    await writeFully(handle, bytes, length);
    length += bytes.length;
  };
  for (const line of lines) {
    piece.push(line);
    pending += line.length;
    if (pending >= pieceSize) await writePiece();
    if (length - synced >= syncedAtOnce) {
      await handle.datasync();
      synced = length;
    }
  }
  await writePiece();
  await handle.datasync();
  return length;
};

/** Writes bytes at a position; the system may take several calls for that. */
export const writeFully = async (
  handle: Pick<FileHandle, 'write'>,
  bytes: Buffer,
  position: number,
): Promise<void> => {
  for (let done = 0; done < bytes.length; )
    done += (await handle.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
};
