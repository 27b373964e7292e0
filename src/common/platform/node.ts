/**
 * What Node does faster than code that runs everywhere. The name `#platform` stands for this file, and
 * elsewhere for `portable.ts`, which does the same ("imports" in package.json).
 */
import { hash, randomBytes, randomUUID } from 'node:crypto';

/** The SHA-256 of a text, in UTF-8, as hexadecimal digits. */
export const sha256Hex = (text: string): string => hash('sha256', text, 'hex');

/** The SHA-256 of bytes, or of a text in UTF-8, in base64url. */
export const sha256Base64url = (content: string | Uint8Array): string => hash('sha256', content, 'base64url');

/** So many random bytes, in base64url. */
export const randomBase64url = (bytes: number): string => randomBytes(bytes).toString('base64url');

/** A new id that nobody can guess. */
export const randomUuid = (): string => randomUUID();

/** How many bytes a text takes in UTF-8. */
export const byteLength = (text: string): number => Buffer.byteLength(text);

/** Bytes with memory of their own; what is in them is undefined. */
export const newBytes = (length: number): Uint8Array<ArrayBuffer> => Buffer.allocUnsafeSlow(length);

const bufferOf = (bytes: Uint8Array): Buffer =>
  // What `newBytes` has returned, except in tests.
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);

/** Writes a text in UTF-8 at an offset, where it has room. Returns how many bytes it takes. */
export const writeUtf8 = (bytes: Uint8Array, text: string, at: number): number =>
  bufferOf(bytes).write(text, at);

/** The text in UTF-8 between two offsets. */
export const utf8Text = (bytes: Uint8Array, start: number, end: number): string =>
  bufferOf(bytes).toString('utf8', start, end);

/** The text of ASCII characters between two offsets. */
export const asciiText = (bytes: Uint8Array, start: number, end: number): string =>
  bufferOf(bytes).toString('latin1', start, end);

/** Runs a task after so many milliseconds, unless the process ends before. Returns what cancels it. */
export const runLater = (milliseconds: number, task: () => void): (() => void) => {
  const timer = setTimeout(task, milliseconds).unref();
  return () => clearTimeout(timer);
};
