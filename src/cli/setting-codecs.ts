import * as t from 'io-ts';
import { SecretString } from '../codecs/secret-string.js';

const wholeNumber = (name: string, least: number, most: number) =>
  new t.Type<number, string, unknown>(
    name,
    (u): u is number => Number.isInteger(u) && Number(u) >= least && Number(u) <= most,
    (u, c) => {
      const value = typeof u === 'string' && /^[0-9]+$/.test(u) ? Number(u) : Number.NaN;
      return value >= least && value <= most ? t.success(value) : t.failure(u, c);
    },
    String,
  );

/** A TCP port; 0 takes a free one. */
export const Port = wholeNumber('a port from 0 to 65535', 0, 65535);

const day = 24 * 60 * 60 * 1000;

/** A time to wait. Node's timers hold no more than 2^31 milliseconds; a day is already a mistake. */
export const Milliseconds = wholeNumber(`milliseconds from 0 to ${day}`, 0, day);

/** How long something may take that has to come: long enough to be possible, short enough for somebody who waits. */
export const TimeLimit = wholeNumber('milliseconds from 10 to 60000', 10, 60_000);

const isDatabaseUrl = (text: string): boolean => /^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text);

/** The URL of a PostgreSQL database. It may hold a password: what is refused is not shown. */
export const DatabaseUrl = new SecretString(
  'a URL such as postgres://user:password@host:5432/database',
  {},
  isDatabaseUrl,
);

/** A host name or address to bind, or a path: any text that is not empty. */
export const NonEmpty = t.refinement(t.string, (text) => text !== '', 'text that is not empty');

/** How many of something there may be: at least one. */
export const Count = wholeNumber('a whole number from 1 to 1000000', 1, 1_000_000);

const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text;

/** Origins of pages, as browsers send them; in the environment with commas between them. */
export const Origins = new t.Type<readonly string[], readonly string[], unknown>(
  'origins such as https://app.example.com',
  (u): u is readonly string[] =>
    Array.isArray(u) && u.every((each) => typeof each === 'string' && isOrigin(each)),
  (u, c) => {
    const origins: unknown = typeof u === 'string' ? u.split(',').map((each) => each.trim()) : u;
    if (!t.readonlyArray(t.string).is(origins)) return t.failure(u, c);
    const wrong = origins.find((origin) => !isOrigin(origin));
    return wrong === undefined ? t.success(origins) : t.failure(wrong, c);
  },
  t.identity,
);

const words: Readonly<Record<string, boolean>> = {
  true: true,
  '1': true,
  yes: true,
  on: true,
  false: false,
  '0': false,
  no: false,
  off: false,
};

/** A switch: a flag on the command line, a word in the environment. */
export const Switch = new t.Type<boolean, boolean, unknown>(
  'true or false',
  t.boolean.is,
  (u, c) => {
    const value = typeof u === 'string' && Object.hasOwn(words, u.toLowerCase()) ? words[u.toLowerCase()] : u;
    return typeof value === 'boolean' ? t.success(value) : t.failure(u, c);
  },
  t.identity,
);

/** How long an answer may take; none is not to be had. */
export const RequestTimeout = wholeNumber(`milliseconds from 1 to ${day}`, 1, day);

/** Requests a second. */
export const Rate = wholeNumber('a whole number from 1 to 1000', 1, 1000);

/** The base URL of a server. Without user and password, which would show in reports and are not shown here, and without a query. */
export const BaseUrl = new t.Type<string, string, unknown>(
  'an http or https URL without user, query and fragment, such as http://127.0.0.1:4000',
  (u): u is string => typeof u === 'string' && isBaseUrl(u),
  (u, c) => {
    if (typeof u !== 'string') return t.failure(u, c);
    return isBaseUrl(u) ? t.success(u) : t.failure(u.includes('@') ? u.replace(/^.*@/s, '…@') : u, c);
  },
  t.identity,
);

const isBaseUrl = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  const isHttp = protocol === 'http:' || protocol === 'https:';
  return isHttp && [username, password, search, hash].every((part) => part === '') && !/[?#]/.test(text);
};

/**
 * The value of a cookie or a bearer token, of such characters as may stand in both headers (RFC 6265, section 4.1.1). One of three
 * characters could not be kept out of reports: it would be part of ordinary words.
 */
export const CredentialValue = new SecretString(
  'at least 4 letters, digits and signs, without spaces, quotes, commas, semicolons and backslashes',
  { pattern: /^[\x21\x23-\x2B\x2D-\x3A\x3C-\x5B\x5D-\x7E]{4,}$/ },
);

/** The name of a cookie (RFC 9110, section 5.6.2). */
export const CookieName = t.refinement(
  t.string,
  (text) => /^[\w!#$%&'*+.^`|~-]+$/.test(text),
  'the name of a cookie',
);
