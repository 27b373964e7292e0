import { isLoopback } from './is-loopback.js';

/** Whether a server answers requests for a host, as a `Host` header names it. */
export type IsAllowedHost = (host: string) => boolean;

/** Answers for every host: names protect nothing on an address that others can reach anyway. */
export const anyHost: IsAllowedHost = () => true;

/** The name or address in a `Host` header, without the port; IPv6 in brackets (RFC 9110, section 7.2). */
const syntax = /^(\[[0-9a-f:.]+\]|[a-z0-9._~!$&'()*+,;=%-]+)(?::\d{0,5})?$/i;

/** Whether a `Host` header is well-formed. */
export const isHost = (host: string): boolean => syntax.test(host);

/**
 * Whether the name or address of a host, IPv6 in brackets, is this machine: to browsers, which look up
 * nothing below `localhost`, or to Android's emulators and Genymotion.
 */
export const isThisMachine = (host: string): boolean =>
  host === '[::1]' || isLoopback(host) || /^(?:10\.0\.[23]\.2|(?:[a-z0-9-]+\.)+localhost)$/i.test(host);

/**
 * Allows this machine, on any port, and the listed hosts; one that begins with a dot
 * stands for a domain and its subdomains. Without this, a page could give its own domain name the address
 * 127.0.0.1, and would then be of the same origin as this server to the browser (DNS rebinding).
 */
export const allowedHosts = (hosts: readonly string[]): IsAllowedHost => {
  const names = new Set(hosts.map((host) => host.toLowerCase().replace(/^\./, '')));
  const domains = hosts.filter((host) => host.startsWith('.')).map((host) => host.toLowerCase());
  return (host) => {
    const name = (syntax.exec(host)?.[1] ?? '').toLowerCase().replace(/\.$/, '');
    return isThisMachine(name) || names.has(name) || domains.some((domain) => name.endsWith(domain));
  };
};

/** Whether a `Host` header names this machine. */
export const isLoopbackHost = allowedHosts([]);

/**
 * Whether this is no page of another origin. Even another port of this machine is one. Behind the proxy of a
 * development server, `Origin` is that of the page, and the browser says that the page is of the same origin.
 */
export const isOfThisSite = (
  headers: Readonly<Record<string, unknown>>,
  scheme: string,
  isAllowedHost: IsAllowedHost,
): boolean => {
  const { host = '', origin, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  if (origin === undefined || origin === `${scheme}//${host}`) return true;
  const [, originHost] = /^https?:\/\/(.*)$/s.exec(String(origin)) ?? [];
  return site === 'same-origin' && originHost !== undefined && isAllowedHost(originHost);
};

/** Whether pages of an origin may read responses to requests with credentials. */
export type IsAllowedOrigin = (origin: string) => boolean;

/** Whether a text is an origin as browsers send it: no path, no default port, lower case, no star. */
export const isOrigin = (text: string): boolean =>
  /^https?:[^*]*$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
