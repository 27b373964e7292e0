import { createReadStream } from 'node:fs';
import * as E from '#fp-ts/Either';
import type { Terminal } from '../terminal/terminal.js';

/** The file name that means standard input or standard output. */
export const standardStream = '-';

/** What people call a file. */
export const fileName = (file: string): string => (file === standardStream ? 'standard input' : file);

/**
 * The content of a file, or of standard input, of at most `maxSize` bytes. Reading stops where it becomes
 * longer. `left`: why it cannot be read.
 */
export const readBounded = async (
  file: string,
  terminal: Terminal,
  maxSize: number,
): Promise<E.Either<string, Uint8Array>> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    const source: AsyncIterable<unknown> =
      file === standardStream ? terminal.input() : createReadStream(file);
    for await (const chunk of source) {
      if (!(chunk instanceof Uint8Array)) continue;
      size += chunk.length;
      if (size > maxSize)
        return E.left(`is larger than ${maxSize} bytes; --max-size allows more, up to 256mb`);
      chunks.push(chunk);
    }
    return E.right(Buffer.concat(chunks));
  } catch (error) {
    return E.left(`cannot be read: ${reasonOf(error)}`);
  }
};

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a directory',
  EACCES: 'permission denied',
};

const reasonOf = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return reasons[code] ?? (error instanceof Error ? error.message : String(error));
};
