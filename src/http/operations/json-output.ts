import { asciiText, byteLength, newBytes, utf8Text, writeUtf8 } from '#platform';

/**
 * Where JSON is written, as bytes: a third of the time that joining texts takes. What does not fit is left
 * out, but counted, so that nothing has to be checked on the way.
 */
export type Output = {
  readonly bytes: Uint8Array;
  /** The same bytes, for writing four at a time. */
  readonly words: DataView;
  /** Whether there is nothing but ASCII. */
  isAscii: boolean;
};

/** An output that is used again and again: it grows with the longest text that was written. */
export type JsonOutput = Readonly<{
  /**
   * The text that `write` writes from the beginning on; `write` returns its length in bytes, which is
   * negative if there is none, and may be called twice.
   */
  textOf: (write: (out: Output) => number) => string | null;
}>;

/** The length of an output at first, and the greatest length that is kept for the next text. */
const initialLength = 16 * 2 ** 10;
const maxKeptLength = 2 ** 20;

/** So many bytes after the last one that counts may be written. */
const margin = 4;

const emptyOutput = (length: number): Output => {
  const bytes = newBytes(length + margin);
  return { bytes, words: new DataView(bytes.buffer), isAscii: true };
};

export const jsonOutput = (): JsonOutput => {
  let kept: Output | null = null;
  return {
    textOf: (write) => {
      kept ??= emptyOutput(initialLength);
      kept.isAscii = true;
      const length = write(kept);
      if (length + margin <= kept.bytes.length) return textIn(kept, length);
      const longer = emptyOutput(length);
      write(longer);
      if (length <= maxKeptLength) kept = longer;
      return textIn(longer, length);
    },
  };
};

const textIn = ({ bytes, isAscii }: Output, length: number): string | null => {
  if (length < 0) return null;
  return isAscii ? asciiText(bytes, 0, length) : utf8Text(bytes, 0, length);
};

/** ASCII characters that are written again and again: four in a word. */
export type Fixed = Readonly<{ words: Uint32Array; length: number }>;

export const fixed = (text: string): Fixed => {
  const bytes = new Uint8Array(Math.ceil(text.length / 4) * 4);
  writeUtf8(bytes, text, 0);
  const view = new DataView(bytes.buffer);
  const words = Uint32Array.from({ length: bytes.length / 4 }, (_, index) => view.getUint32(4 * index, true));
  return { words, length: text.length };
};

/** Writes a fixed text at an offset. Returns the offset after it. */
export const writeFixed = (out: Output, at: number, { words, length }: Fixed): number => {
  if (at + length + margin > out.bytes.length) return at + length;
  for (let index = 0; index < words.length; index += 1) {
    out.words.setUint32(at + 4 * index, words[index] ?? 0, true);
  }
  return at + length;
};

/** Writes a text of ASCII characters at an offset, as it is. Returns the offset after it. */
export const writeAscii = ({ bytes }: Output, at: number, text: string): number => {
  const { length } = text;
  for (let index = 0; index < length; index += 1) bytes[at + index] = text.charCodeAt(index);
  return at + length;
};

const [space, quote, backslash, tilde] = [0x20, 0x22, 0x5c, 0x7e];

/** Writes a text in quotes, as `JSON.stringify` does, at an offset. Returns the offset after it. */
export const writeText = (out: Output, at: number, text: string): number => {
  const { bytes } = out;
  const { length } = text;
  bytes[at] = quote;
  for (let index = 0; index < length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < space || code > tilde || code === quote || code === backslash) {
      return writeUnusual(out, at, JSON.stringify(text));
    }
    bytes[at + 1 + index] = code;
  }
  bytes[at + 1 + length] = quote;
  return at + length + 2;
};

const writeUnusual = (out: Output, at: number, json: string): number => {
  const length = byteLength(json);
  if (length !== json.length) out.isAscii = false;
  if (at + length <= out.bytes.length) writeUtf8(out.bytes, json, at);
  return at + length;
};
