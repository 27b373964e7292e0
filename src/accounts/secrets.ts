import { randomBytes } from 'node:crypto';

/** 256 bits of chance in characters that cookies, headers and paths carry as they are. */
const randomText = (): string => randomBytes(32).toString('base64url');

/** A new session's value. */
export const newSessionValue = (): string => randomText();

/** A new API token; its beginning says what it is, to people and to scanners for leaked secrets. */
export const newApiToken = (): string => `triage_${randomText()}`;

/** A new id, not secret, and unlike any other: `usr_…`. */
export const newId = (kind: string): string => `${kind}_${randomBytes(9).toString('base64url')}`;
