import { escapeControlCharacters } from '../../common/messages.js';
import { operations } from '../../contract/operations.js';

/** Where a request goes: a path with a query, and the host if the target is an absolute URL. */
type RequestTarget = Readonly<{ path: string; authority: string | null }>;

const absolute = /^https?:\/\/([^/?]+)(.*)$/i;

/**
 * Reads a request target (RFC 9112, section 3.2). Null if it is none. No valid one contains `#`, a backslash
 * or anything but visible ASCII characters, and programs disagree about what such a target, or one that
 * begins with two slashes, stands for. What is valid is not rewritten, so that it means here what it meant to
 * a proxy.
 */
export const readTarget = (target: string): RequestTarget | null => {
  if (/[#\\]|[^!-~]/.test(target)) return null;
  if (target.startsWith('/') || target === '*') return unlessAmbiguous(target, null);
  const [, authority, rest = ''] = absolute.exec(target) ?? [];
  return authority === undefined
    ? null
    : unlessAmbiguous(rest.startsWith('/') ? rest : `/${rest}`, authority);
};

const unlessAmbiguous = (path: string, authority: string | null): RequestTarget | null =>
  path.startsWith('//') ? null : { path, authority };

/** The scheme, the slashes, and the name and the password before the host of a URL. */
const untilHost = /^(?:[a-z][a-z0-9+.-]*:)?\/*(?:[^/?#@]*@)?/i;

/**
 * A path that stands for a target that could not be read, shows what it was except for a password, and can be
 * read by everyone.
 */
export const harmlessPath = (target: string): string => {
  const [path = ''] = target.replace(untilHost, '').split('?');
  return `/${path.replace(/[^\w.~:@/-]/g, encodeURIComponent)}`;
};

/** The parameters of the contract. Anything else in a query may be a misplaced secret. */
const loggedParameters: ReadonlySet<string> = new Set(
  Object.values(operations).flatMap(({ queryParameters }) => Object.keys(queryParameters.type.props)),
);

/**
 * A target without what may be a secret. One that is not a path was refused, and may contain a password. The
 * usual parsers are not asked for the path, because they throw on some targets.
 */
export const shownTarget = (target: string): string => {
  if (!target.startsWith('/')) return target === '*' ? target : '…';
  const [path = '', ...rest] = target.split('?');
  return escapeControlCharacters(`${masked(path).replace(/^\/\/[^/]*@/, '//…@')}${query(rest.join('?'))}`);
};

const query = (querystring: string): string => {
  const shown = Array.from(new URLSearchParams(querystring), ([name, value]) =>
    loggedParameters.has(name)
      ? `${encodeURIComponent(name)}=${masked(encodeURIComponent(value))}`
      : `${masked(encodeURIComponent(name))}=…`,
  );
  return shown.length === 0 ? '' : `?${shown.join('&')}`;
};

/** Session values and API tokens are at least this long, and consist of these characters. */
const secretLike = /[\w-]{43,}/g;

/** Text without what may be a misplaced session value, API token or hash. */
export const masked = (text: string): string => text.replaceAll(secretLike, '…');

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

/** Pages to which a login must not lead back. */
const passing = /^\/(?:login|logout|signup)(?:[?/#]|$)/;

/** A path of this server to return to after a login; null for everything else. */
export const returnPath = (text: unknown): LocalPath | null =>
  isLocalPath(text) && !passing.test(text) ? text : null;
