/**
 * The same as `node.ts`, for browsers and wherever else JavaScript runs: with what the standards of the web
 * have, and nothing of Node. Browsers have SHA-256 only as a promise, and only on secure pages; a hash is
 * needed at once here, and of little data.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

const encoder = new TextEncoder();
/** A text may begin with U+FEFF. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const randomBytes = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));

export const sha256Hex = (text: string): string => bytesToHex(sha256(encoder.encode(text)));

export const sha256Base64url = (content: string | Uint8Array): string =>
  base64url(sha256(typeof content === 'string' ? encoder.encode(content) : content));

export const randomBase64url = (bytes: number): string => base64url(randomBytes(bytes));

/** `crypto.randomUUID` exists on secure pages only. This is the same (RFC 9562, section 5.4). */
export const randomUuid = (): string => {
  const bytes = randomBytes(16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytesToHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};

export const byteLength = (text: string): number => encoder.encode(text).length;

export const newBytes = (length: number): Uint8Array<ArrayBuffer> => new Uint8Array(length);

export const writeUtf8 = (bytes: Uint8Array, text: string, at: number): number =>
  encoder.encodeInto(text, bytes.subarray(at)).written;

export const utf8Text = (bytes: Uint8Array, start: number, end: number): string =>
  decoder.decode(bytes.subarray(start, end));

/** ASCII is a part of UTF-8. */
export const asciiText = utf8Text;

export const runLater = (milliseconds: number, task: () => void): (() => void) => {
  const timer = setTimeout(task, milliseconds);
  return () => clearTimeout(timer);
};
