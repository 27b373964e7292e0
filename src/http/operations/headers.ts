import { sha256Base64url } from '#platform';
import { memo } from '../../common/memo.js';

/**
 * How API responses may be cached: by the client itself, which has to revalidate them. They depend on the
 * credentials and, for pages of other origins, on `Origin`.
 */
export const apiHeaders = {
  'Cache-Control': 'private, no-cache',
  Vary: 'Origin, Cookie, Authorization',
} as const;

/** The same, if bodies are compressed for clients that accept it. */
export const compressedApiHeaders = {
  ...apiHeaders,
  Vary: `${apiHeaders.Vary}, Accept-Encoding`,
} as const;

/** How everything else may be cached: pages show who is signed in. */
export const uncachedHeaders = { 'Cache-Control': 'no-store' } as const;

/** A strong `ETag` of some bytes, or of a text in UTF-8. */
export const etagOf = (content: string | Uint8Array): string => `"${sha256Base64url(content)}"`;

/**
 * Whether a client that sends `If-None-Match` has the representation with this `ETag` already (RFC 9110,
 * section 13.1.2). The package `fresh` lets `Cache-Control: no-cache` on the request outweigh the condition,
 * which the RFC does not, and Node's `fetch` adds that header to every conditional request.
 */
export const isCurrent = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch === etag ||
  ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);

/** What pages may load and where they may be shown. */
export const directives = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

/**
 * The headers of the responses of operations: those that mean something for JSON. Each header takes about one
 * hundredth of the time of a response.
 */
export const jsonSecurityHeaders = {
  'Content-Security-Policy': "default-src 'none';frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
} as const;

/**
 * The headers of everything else but the API reference. The referrer is kept within the site, because without
 * one browsers post forms with the origin "null". Whether a host is HTTPS-only is up to its operator, who
 * sets `Strict-Transport-Security` at the proxy.
 */
export const usualSecurityHeaders = {
  ...jsonSecurityHeaders,
  'Content-Security-Policy': directives.join(';'),
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

/** How a body may be compressed, the better one first. */
const contentEncodings = ['br', 'gzip'] as const;
export type ContentEncoding = (typeof contentEncodings)[number];

/** What a client makes of compressed bodies. */
export type AcceptedEncoding = Readonly<{
  /** The encoding that it prefers among ours; null: none, or the body as it is. */
  encoding: ContentEncoding | null;
  /** Whether it refuses a body as it is, however short. */
  refusesIdentity: boolean;
}>;

/** An element of `Accept-Encoding`: a coding with its weight, which has at most three decimals. */
const element = /^([!#$%&'*+.^_`|~0-9a-z-]+)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/;

/** How much of a header is read. */
const maxLength = 1000;

/** The elements that are read: of a longer header, those that end within the limit. */
const elementsOf = (header: string): readonly string[] =>
  (header.length > maxLength ? header.slice(0, Math.max(0, header.lastIndexOf(',', maxLength))) : header)
    .toLowerCase()
    .split(',');

const read = (header: string): AcceptedEncoding => {
  const weights = new Map<string, number>();
  for (const text of elementsOf(header)) {
    // What is not well-formed says nothing.
    const [, coding, weight = '1'] = element.exec(text.trim()) ?? [];
    if (coding !== undefined) weights.set(coding === 'x-gzip' ? 'gzip' : coding, Number(weight));
  }
  const any = weights.get('*');
  const [best = null] = contentEncodings
    .map((encoding) => ({ encoding, weight: weights.get(encoding) ?? any ?? 0 }))
    .filter(({ weight }) => weight > 0)
    .sort((left, right) => right.weight - left.weight);
  const identity = weights.get('identity');
  const refusesIdentity = (identity ?? any) === 0;
  // A client that names the body as it is and gives it more weight shall get it.
  const prefersIdentity = best !== null && identity !== undefined && identity > best.weight;
  return { encoding: prefersIdentity ? null : (best?.encoding ?? null), refusesIdentity };
};

/**
 * Returns a function that reads `Accept-Encoding` (RFC 9110, section 12.5.3). Most clients send one of a few
 * values, of which it remembers what they mean.
 */
export const encodingReader = (): ((header: string) => AcceptedEncoding) => {
  const known = memo<AcceptedEncoding>();
  return (header) => known(header, () => read(header));
};

/** From how many bytes on a body is compressed: a shorter one is sent in one packet anyway. */
export const minCompressedLength = 1024;
