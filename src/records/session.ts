import * as t from 'io-ts';
import { Closed } from '../vocabulary/closed.js';
import { Secret } from '../vocabulary/secret.js';
import { Identifier } from '../vocabulary/text.js';
import { Timestamp } from '../vocabulary/timestamp.js';
import { SecretHash } from './secret-hash.js';

/** The characters that a cookie can carry unquoted (RFC 6265, section 4.1.1). */
const cookieOctets = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+$/;

/** A session as fixtures write it, the cookie's value in clear text. */
export const SessionSeed = new Closed(
  {
    id: Identifier,
    value: new Secret('session value (characters that a cookie can carry)', (v) => cookieOctets.test(v)),
    createdAt: Timestamp,
    expiresAt: Timestamp,
  },
  'session',
);
export type SessionSeed = t.TypeOf<typeof SessionSeed>;

/** A session as it is kept. It holds until `expiresAt`, whether it is used or not. */
export const SessionRecord = t.strict(
  { id: Identifier, userId: Identifier, hash: SecretHash, createdAt: Timestamp, expiresAt: Timestamp },
  'SessionRecord',
);
export type SessionRecord = t.TypeOf<typeof SessionRecord>;
