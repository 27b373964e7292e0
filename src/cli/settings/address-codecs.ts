import * as t from 'io-ts';
import { isOriginPattern } from '../../http/cors.js';
import { SettingCodec } from './setting-codec.js';

/** A list of texts: several arguments, commas between them, or both. */
const separatedByCommas = (name: string, isValid: (text: string) => boolean) =>
  new SettingCodec<readonly string[]>(
    name,
    (u): u is readonly string[] =>
      Array.isArray(u) && u.every((each) => typeof each === 'string' && isValid(each)),
    (u, c) => {
      const given: unknown = typeof u === 'string' ? [u] : u;
      if (!t.readonlyArray(t.string).is(given)) return t.failure(u, c);
      const texts = given.flatMap((text) => text.split(',')).map((each) => each.trim());
      const invalid = texts.find((text) => !isValid(text));
      return invalid === undefined ? t.success(texts) : t.failure(invalid, c);
    },
    { type: 'array', items: { type: 'string' } },
  );

/**
 * Origins as browsers send them, or patterns for the subdomains of a domain, with commas between
 * them. `*` alone would let every page on the web act in the name of its visitor.
 */
export const Origins = separatedByCommas(
  'origins such as https://app.example.com, or https://*.preview.example.com below a domain of your own (never all: their pages act in the name of whoever visits them)',
  isOriginPattern,
);

const isHostName = (text: string): boolean =>
  /^(?:\[[0-9a-f:.]+\]|\.?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)$/i.test(text);

/** Names and addresses of hosts, without a port, with commas between them. */
export const Hosts = separatedByCommas(
  'host names such as triage.example.com, or .example.com for all of its subdomains, without a port',
  isHostName,
);

/**
 * The base URL of a server, without a query. It must not contain a user or a password, which would show up in
 * reports; error messages leave them out as well.
 */
export const BaseUrl = new SettingCodec<string>(
  'an http or https URL without user, query and fragment, such as http://127.0.0.1:4000',
  (u): u is string => typeof u === 'string' && isBaseUrl(u),
  (u, c) => {
    if (typeof u !== 'string') return t.failure(u, c);
    return isBaseUrl(u) ? t.success(u) : t.failure(u.includes('@') ? u.replace(/^.*@/s, '…@') : u, c);
  },
  { type: 'string', pattern: '^[hH][tT][tT][pP][sS]?:[^?#]+$' },
);

const isBaseUrl = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  const isHttp = protocol === 'http:' || protocol === 'https:';
  return isHttp && [username, password, search, hash].every((part) => part === '') && !/[?#]/.test(text);
};
