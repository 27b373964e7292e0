import * as t from 'io-ts';
import { asciiText, byteLength, newBytes, utf8Text, writeUtf8 } from '#platform';
import { BoundedList, Described, Nullable } from '../../contract/codecs/combinators.js';
import { NumberCodec, StringCodec } from '../../contract/codecs/text-and-numbers.js';

/**
 * Where JSON is written, as bytes: a third of the time that joining texts takes. What does not fit is left
 * out, but counted, so that nothing has to be checked on the way.
 */
type Output = {
  readonly bytes: Uint8Array;
  /** The same bytes, for writing four at a time. */
  readonly words: DataView;
  /** Whether there is nothing but ASCII. */
  isAscii: boolean;
};

/** An output that is used again and again: it grows with the longest text that was written. */
type JsonOutput = Readonly<{
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

const jsonOutput = (): JsonOutput => {
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
type Fixed = Readonly<{ words: Uint32Array; length: number }>;

const fixed = (text: string): Fixed => {
  const bytes = new Uint8Array(Math.ceil(text.length / 4) * 4);
  writeUtf8(bytes, text, 0);
  const view = new DataView(bytes.buffer);
  const words = Uint32Array.from({ length: bytes.length / 4 }, (_, index) => view.getUint32(4 * index, true));
  return { words, length: text.length };
};

/** Writes a fixed text at an offset. Returns the offset after it. */
const writeFixed = (out: Output, at: number, { words, length }: Fixed): number => {
  if (at + length + margin > out.bytes.length) return at + length;
  for (let index = 0; index < words.length; index += 1) {
    out.words.setUint32(at + 4 * index, words[index] ?? 0, true);
  }
  return at + length;
};

/** Writes a text of ASCII characters at an offset, as it is. Returns the offset after it. */
const writeAscii = ({ bytes }: Output, at: number, text: string): number => {
  const { length } = text;
  for (let index = 0; index < length; index += 1) bytes[at + index] = text.charCodeAt(index);
  return at + length;
};

const [space, quote, backslash, tilde] = [0x20, 0x22, 0x5c, 0x7e];

/** Writes a text in quotes, as `JSON.stringify` does, at an offset. Returns the offset after it. */
const writeText = (out: Output, at: number, text: string): number => {
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

/** Writes a value as JSON; null if its codec refuses the value. */
type JsonWriter = (value: unknown) => string | null;

/**
 * Derives a writer from a codec: it checks a value by the codec and writes it in one go, with keys in the
 * order of the codec, and without keys that the codec does not know. The result is that of decoding, encoding
 * and serialising the value, in a tenth of the time. Null: the codec has a part for which this is not known.
 */
export const jsonWriter = (codec: t.Mixed): JsonWriter | null => {
  const write = writeOf(codec);
  if (write === null) return null;
  const output = jsonOutput();
  return (value) => output.textOf((out) => write(value, out, 0));
};

/** Writes a value at an offset, and returns the offset after it; `refused` if the codec refuses the value. */
type Write = (value: unknown, out: Output, at: number) => number;

const refused = -1;

const writeOf = (codec: t.Mixed): Write | null => {
  if (codec instanceof Described) return writeOf(codec.codec);
  if (codec instanceof Nullable) return writeNullable(codec);
  if (codec instanceof t.ExactType && codec.type instanceof t.InterfaceType) {
    return writeObject(codec.type.props);
  }
  if (codec instanceof t.ReadonlyArrayType) {
    return writeList(codec.type, codec instanceof BoundedList ? codec.maxItems : Number.POSITIVE_INFINITY);
  }
  if (codec instanceof t.KeyofType) {
    const words = Object.keys(codec.keys);
    return words.every(isAscii) ? writeWord(words) : null;
  }
  if (codec instanceof t.StringType) {
    return (value, out, at) => (typeof value === 'string' ? writeText(out, at, value) : refused);
  }
  if (codec instanceof StringCodec) {
    return (value, out, at) => (codec.is(value) ? writeText(out, at, value) : refused);
  }
  if (codec instanceof NumberCodec || codec instanceof t.BooleanType) {
    return (value, out, at) => (codec.is(value) ? writeAscii(out, at, String(value)) : refused);
  }
  return null;
};

const writeNullable = ({ codec }: Nullable<unknown, unknown>): Write | null => {
  const write = writeOf(codec);
  return write === null
    ? null
    : (value, out, at) => (value === null ? writeAscii(out, at, 'null') : write(value, out, at));
};

const writeWord = (words: readonly string[]): Write => {
  const quoted = new Map<unknown, Fixed>(words.map((word) => [word, fixed(JSON.stringify(word))]));
  return (value, out, at) => {
    const word = quoted.get(value);
    return word === undefined ? refused : writeFixed(out, at, word);
  };
};

const isAscii = (text: string): boolean => byteLength(text) === text.length;

const [comma, closingBrace, openingBracket, closingBracket] = [0x2c, 0x7d, 0x5b, 0x5d];

const writeList = (item: t.Mixed, maxItems: number): Write | null => {
  const write = writeOf(item);
  if (write === null) return null;
  return (value, out, start) => {
    if (!Array.isArray(value) || value.length > maxItems) return refused;
    let at = start;
    out.bytes[at++] = openingBracket;
    for (let index = 0; index < value.length; index += 1) {
      if (index > 0) out.bytes[at++] = comma;
      at = write(value[index], out, at);
      if (at === refused) return refused;
    }
    out.bytes[at++] = closingBracket;
    return at;
  };
};

/** A property: `prefix` is what comes before its value. */
type Field = Readonly<{ key: string; prefix: Fixed; write: Write }>;

const fieldsOf = (props: t.Props): readonly Field[] | null => {
  const fields: Field[] = [];
  for (const [key, codec] of Object.entries(props)) {
    const write = writeOf(codec);
    if (write === null) return null;
    if (!isAscii(key)) return null;
    const prefix = fixed(`${fields.length === 0 ? '{' : ','}${JSON.stringify(key)}:`);
    fields.push({ key, prefix, write });
  }
  return fields;
};

const writeObject = (props: t.Props): Write | null => {
  const fields = fieldsOf(props);
  if (fields === null || fields.length === 0) return null;
  return (value, out, start) => {
    if (!isRecord(value)) return refused;
    let at = start;
    let index = 0;
    // `for in`, because the engine reads the properties fastest in their own order, mostly that of the codec.
    for (const key in value) {
      const field = fields[index];
      if (field === undefined || field.key !== key) return writeByName(fields, value, out, start);
      at = field.write(value[key], out, writeFixed(out, at, field.prefix));
      if (at === refused) return refused;
      index += 1;
    }
    if (index < fields.length) return writeByName(fields, value, out, start);
    out.bytes[at++] = closingBrace;
    return at;
  };
};

/** Writes an object whose properties may be in any order, or missing. */
const writeByName = (
  fields: readonly Field[],
  value: Readonly<Record<string, unknown>>,
  out: Output,
  start: number,
): number => {
  let at = start;
  for (const { key, prefix, write } of fields) {
    at = write(value[key], out, writeFixed(out, at, prefix));
    if (at === refused) return refused;
  }
  out.bytes[at++] = closingBrace;
  return at;
};

/** What `UnknownRecord` accepts; usual objects are recognized in a fraction of the time. */
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype) ||
  t.UnknownRecord.is(value);
