import { sha256Base64url } from '#platform';

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
