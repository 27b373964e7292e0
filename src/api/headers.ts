import { sha256Base64url } from '#platform';

/** What JSON may load, and where it may be shown: the headers that mean something for it. */
const jsonSecurity = {
  'Content-Security-Policy': "default-src 'none';frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** What pages may load and where they may be shown. */
const directives = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

/** The policy of a page that may do a little more: `more` has further directives. */
export const contentSecurityPolicy = (...more: readonly string[]): string =>
  [...directives, ...more].join(';');

/**
 * Headers that restrict pages to this site: those of the package `helmet`, with stricter values. Without a
 * referrer, browsers post forms with the origin "null". Whether a host is HTTPS-only is up to its operator.
 */
const security = {
  ...jsonSecurity,
  'Content-Security-Policy': contentSecurityPolicy(),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  'Referrer-Policy': 'same-origin',
  'X-DNS-Prefetch-Control': 'off',
  'X-Download-Options': 'noopen',
  // As `frame-ancestors` says, for browsers that do not know it.
  'X-Frame-Options': 'DENY',
  'X-Permitted-Cross-Domain-Policies': 'none',
  // The filters of old browsers did more harm than good.
  'X-XSS-Protection': '0',
} as const;

/** Clients may cache API responses if they ask each time; CORS makes them depend on `Origin`. */
const apiCaching = { 'Cache-Control': 'private, no-cache', Vary: 'Origin, Cookie, Authorization' } as const;

/** How everything else may be cached: pages show who is signed in. */
const pageCaching = { 'Cache-Control': 'no-store' } as const;

/** The headers of every response; `Vary: Origin` says that CORS depends on it. */
export const responseHeaders = {
  operation: { ...jsonSecurity, ...apiCaching },
  /** The same, if bodies are compressed for clients that accept it. */
  compressedOperation: { ...jsonSecurity, ...apiCaching, Vary: `${apiCaching.Vary}, Accept-Encoding` },
  /** A path of the API that is no operation. */
  otherApiPath: { ...security, ...apiCaching },
  page: { ...security, ...pageCaching, Vary: 'Origin' },
  /** The API reference needs its own script, and the explorer may run one; both ask this server only. */
  pageWithScript: {
    ...security,
    ...pageCaching,
    Vary: 'Origin',
    'Content-Security-Policy': contentSecurityPolicy("script-src 'self'", "connect-src 'self'"),
  },
  /** What never became a request, so that nothing is known about it. */
  malformed: { ...security, ...pageCaching },
} as const;

/** Which headers a response has. */
export type HeaderKind = keyof typeof responseHeaders;

/** A strong `ETag` of some bytes, or of a text in UTF-8. */
export const etagOf = (content: string | Uint8Array): string => `"${sha256Base64url(content)}"`;

/**
 * Whether a client that sends `If-None-Match` has the representation with this `ETag` already (RFC 9110,
 * section 13.1.2). The package `fresh` lets `Cache-Control: no-cache` on the request outweigh the condition,
 * which the RFC does not, and Node's `fetch` adds that header to every conditional request.
 */
export const isCurrent = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
