import * as t from 'io-ts';
import { described } from '../codecs/described.js';
import { Integer } from '../codecs/numbers.js';

const decision = 'The contract names no headers.';

/** The headers of answers that say something about the answer. */
export const headerDocs = {
  'Cache-Control': described(
    t.string,
    'A client may keep the answer for itself, and must ask each time whether it still holds.',
    decision,
  ),
  ETag: described(
    t.string,
    'Names these very bytes: sent back in `If-None-Match`, it makes the answer 304 while they are the same.',
    decision,
  ),
  Vary: described(t.string, 'What of the request the answer depends on.', decision),
  'X-Triage-Warning': described(
    t.string,
    'Names the query parameters that the operation does not take, and that were ignored.',
    decision,
  ),
  'WWW-Authenticate': described(t.string, 'The kinds of credentials that the operation takes.', decision),
  'Retry-After': described(Integer, 'Seconds after which to ask again.', decision),
  Allow: described(t.string, 'The methods that the path takes.', decision),
} as const;

/** The name of such a header. */
export type HeaderName = keyof typeof headerDocs;
