import * as t from 'io-ts';
import { isOriginPattern } from '../../http/origin-pattern.js';

/** A list of texts: several arguments on the command line, separated by commas in the environment. */
const separatedByCommas = (name: string, isValid: (text: string) => boolean) =>
  new t.Type<readonly string[], readonly string[], unknown>(
    name,
    (u): u is readonly string[] =>
      Array.isArray(u) && u.every((each) => typeof each === 'string' && isValid(each)),
    (u, c) => {
      const texts: unknown = typeof u === 'string' ? u.split(',').map((each) => each.trim()) : u;
      if (!t.readonlyArray(t.string).is(texts)) return t.failure(u, c);
      const invalid = texts.find((text) => !isValid(text));
      return invalid === undefined ? t.success(texts) : t.failure(invalid, c);
    },
    t.identity,
  );

/**
 * Origins as browsers send them, or patterns for the subdomains of a domain. In the environment, commas
 * separate them. `*` alone would let every page on the web act in the name of its visitor.
 */
export const Origins = separatedByCommas(
  'origins such as https://app.example.com, or https://*.preview.example.com below a domain of your own (never all: their pages act in the name of whoever visits them)',
  isOriginPattern,
);

const isHostName = (text: string): boolean =>
  /^(?:\[[0-9a-f:.]+\]|\.?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)$/i.test(text);

/** Names and addresses of hosts, without a port. In the environment, commas separate them. */
export const Hosts = separatedByCommas(
  'host names such as triage.example.com, or .example.com for all of its subdomains, without a port',
  isHostName,
);

/**
 * The base URL of a server, without a query. It must not contain a user or a password, which would show up in
 * reports; error messages leave them out as well.
 */
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
