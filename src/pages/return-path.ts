import { withoutBase } from '../api/request.js';

declare const local: unique symbol;

/** A path of this origin, perhaps with a query, to which a browser may be sent. */
export type LocalPath = string & Readonly<{ [local]: true }>;

/** Longer ones are no pages of this server. */
const maxLength = 1000;

/**
 * Whether a text is a path that leads nowhere but to this server: visible ASCII characters that begin with
 * one slash. Browsers take `//host`, `/\host` and, because they drop tabs and line breaks, `/<tab>/host` for
 * another server. `/./` and `/../` could be shortened to such a path.
 */
export const isLocalPath = (text: unknown): text is LocalPath =>
  typeof text === 'string' &&
  text.length <= maxLength &&
  /^\/(?!\/)[!-[\]-~]*$/.test(text) &&
  !/\/(?:\.|%2e){1,2}(?:[/?#]|$)/i.test(text);

/** Pages to which a login must not lead back. */
const passing = /^\/(?:login|logout|signup)(?:[?/#]|$)/;

/** A path of this origin to return to after a login; null for everything else. */
export const returnPath = (text: unknown, basePath = ''): LocalPath | null =>
  isLocalPath(text) && !passing.test(withoutBase(text, basePath)) ? text : null;
