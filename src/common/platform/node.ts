/**
 * What Node does faster than code that runs everywhere. The name `#platform` stands for this file, and
 * elsewhere for `portable.ts`, which does the same ("imports" in package.json).
 */
import { hash, randomBytes, randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import * as E from '#fp-ts/Either';

/** The SHA-256 of a text, in UTF-8, as hexadecimal digits. */
export const sha256Hex = (text: string): string => hash('sha256', text, 'hex');

/** The SHA-256 of bytes, or of a text in UTF-8, in base64url. */
export const sha256Base64url = (content: string | Uint8Array): string => hash('sha256', content, 'base64url');

/** So many random bytes, in base64url. */
export const randomBase64url = (bytes: number): string => randomBytes(bytes).toString('base64url');

/** A new id that nobody can guess. */
export const randomUuid = (): string => randomUUID();

/** Lets a signal have any number of listeners, of which Node warns. A simulated browser has no limit. */
export const allowListeners = (signal: AbortSignal): void => {
  E.tryCatch(() => setMaxListeners(0, signal), String);
};
