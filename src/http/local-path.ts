import type { Context } from 'koa';

declare const local: unique symbol;

/** A path of this server, perhaps with a query, to which a browser may be sent. */
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

/** The page of this server with the link or the form that led here; null: none is known. */
export const localReferrer = (ctx: Context): LocalPath | null => {
  const referrer = ctx.get('Referer');
  const here = `${ctx.protocol}://${ctx.host}`;
  const path = referrer.startsWith(`${here}/`) ? referrer.slice(here.length) : null;
  return isLocalPath(path) ? path : null;
};
