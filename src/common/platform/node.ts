/**
 * What Node does faster than code that runs everywhere. The name `#platform` stands for this file, and
 * elsewhere for `portable.ts`, which does the same ("imports" in package.json).
 */
import { hash, randomBytes, randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';

/** The SHA-256 of a text, in UTF-8, as hexadecimal digits. */
export const sha256Hex = (text: string): string => hash('sha256', text, 'hex');

/** The SHA-256 of bytes, or of a text in UTF-8, in base64url. */
export const sha256Base64url = (content: string | Uint8Array): string => hash('sha256', content, 'base64url');

/** So many random bytes, in base64url. */
export const randomBase64url = (bytes: number): string => randomBytes(bytes).toString('base64url');

/** A new id that nobody can guess. */
export const randomUuid = (): string => randomUUID();

/**
 * A signal for as many listeners as there are, of which Node would warn as of a leak. What stands for a
 * browser in tests has signals of its own, without such a limit.
 */
export const sharedAbort = (): AbortController => {
  const controller = new AbortController();
  try {
    setMaxListeners(0, controller.signal);
  } catch {
    // There is no limit to lift.
  }
  return controller;
};
