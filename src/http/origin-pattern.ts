import { isSharedDomain } from './site.js';

/** Whether a text is an origin as browsers send it: no path, no default port, lower case, no star. */
export const isOrigin = (text: string): boolean =>
  /^https?:[^*]*$/.test(text) && URL.canParse(text) && new URL(text).origin === text;

/** `https://` and `.preview.example:8443` of `https://*.preview.example:8443`. */
const wildcard = /^(https?:\/\/)\*(\.(.+?)(?::\d{1,5})?)$/;

/**
 * Whether a text is an origin, or a pattern whose first label is `*`. Nobody but the owner of a domain should
 * be able to get a name that the pattern matches, so `https://*.com` and `https://*.vercel.app` are refused,
 * as are others that are known to be shared.
 */
export const isOriginPattern = (text: string): boolean => {
  const [, scheme, rest, domain = ''] = wildcard.exec(text) ?? [];
  return scheme === undefined ? isOrigin(text) : isOrigin(`${scheme}x${rest}`) && !isSharedDomain(domain);
};

/** The origins that a pattern stands for: `*` is exactly one label, as in certificates. */
export const matching = (pattern: string): ((origin: string) => boolean) => {
  const [, scheme = '', rest = ''] = wildcard.exec(pattern) ?? [];
  if (scheme === '') return (origin) => origin === pattern;
  return (origin) =>
    origin.startsWith(scheme) &&
    origin.endsWith(rest) &&
    /^[a-z0-9_-]+$/.test(origin.slice(scheme.length, -rest.length));
};
