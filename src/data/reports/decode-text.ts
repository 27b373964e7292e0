import * as E from '#fp-ts/Either';

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/**
 * The text of a file: UTF-8, or UTF-16, which `>` of Windows PowerShell writes. A byte-order mark is dropped.
 * `left`: what the file is instead.
 */
export const decodeText = (bytes: Uint8Array): E.Either<string, string> => {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return E.left('is compressed with gzip; unpack it first');
  const encoding = encodingOf(bytes);
  try {
    return E.right(new TextDecoder(encoding, { fatal: true }).decode(bytes));
  } catch {
    return E.left(
      encoding === 'utf-8' ? 'is neither UTF-8 nor UTF-16' : `is not valid ${encoding.toUpperCase()}`,
    );
  }
};

/** By the byte-order mark, or by a zero byte in the first character, which is ASCII in JSON. */
const encodingOf = ([first, second]: Uint8Array): Encoding => {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first !== 0 && first !== undefined && second === 0) return 'utf-16le';
  return first === 0 && second !== 0 && second !== undefined ? 'utf-16be' : 'utf-8';
};
