import * as t from 'io-ts';
import { described } from './codecs/described.js';
import { Integer } from './codecs/numbers.js';

const decision = 'The contract names no headers.';

/** The response headers that are part of the documentation. */
export const headerDocs = {
  'Cache-Control': described(
    t.string,
    'Only the client may cache the response, and has to revalidate it each time.',
    decision,
  ),
  ETag: described(
    t.string,
    'Identifies these bytes: sent back in `If-None-Match`, it makes the response 304 while they are the same.',
    decision,
  ),
  Vary: described(t.string, 'The request headers that the response depends on.', decision),
  'X-Triage-Warning': described(
    t.string,
    'Names the unknown query parameters that were ignored, and says why a page of another site has no session.',
    decision,
  ),
  'WWW-Authenticate': described(t.string, 'The kinds of credentials that the operation accepts.', decision),
  'Retry-After': described(Integer, 'Seconds after which to retry.', decision),
  Allow: described(t.string, 'The methods that the path supports.', decision),
} as const;

/** The name of a documented response header. */
export type HeaderName = keyof typeof headerDocs;
