/**
 * The same as `node.ts`, for browsers and wherever else JavaScript runs: with what the standards of the web
 * have, and nothing of Node. Browsers have SHA-256 only as a promise, and only on secure pages; a hash is
 * needed at once here, and of little data.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js';

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

export const sha256Hex = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)));

export const sha256Base64url = (content: string | Uint8Array): string =>
  base64url(sha256(typeof content === 'string' ? utf8ToBytes(content) : content));

export const randomBase64url = (bytes: number): string => base64url(randomBytes(bytes));

/** `crypto.randomUUID` exists on secure pages only. This is the same (RFC 9562, section 5.4). */
export const randomUuid = (): string => {
  const bytes = randomBytes(16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytesToHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};

export const allowListeners = (_: AbortSignal): void => {};
