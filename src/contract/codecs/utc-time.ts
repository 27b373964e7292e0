import * as t from 'io-ts';
import { Timestamp } from './timestamp.js';

/** A moment in UTC as people write it: milliseconds are optional. */
export const UtcTime = new t.Type<Timestamp, string, unknown>(
  'a moment in UTC such as 2026-11-20T12:00:00Z',
  Timestamp.is,
  (u, c) => {
    const text = typeof u === 'string' ? u.replace(/(:\d{2})Z$/, '$1.000Z') : u;
    return Timestamp.is(text) ? t.success(text) : t.failure(u, c);
  },
  t.identity,
);
