const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * The index after the first empty line in `bytes` from `start` on, or the number of bytes without one. Where
 * `start` is, a line may have ended: an empty line can be split between two chunks. The head of a request
 * ends with an empty line, so there is at most one such end before the index; an empty line elsewhere does no
 * harm.
 */
export const endOfHead = (bytes: Uint8Array, start: number): number => {
  let isLineStart = true;
  for (let i = start; i < bytes.length; i += 1) {
    const byte = bytes[i];
    if (byte === lineFeed) {
      if (isLineStart) return i + 1;
      isLineStart = true;
    } else if (byte !== carriageReturn) isLineStart = false;
  }
  return bytes.length;
};
