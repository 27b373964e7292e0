import * as t from 'io-ts';
import { described, nullable } from '../contract/codecs/combinators.js';
import { StrictObject } from '../contract/codecs/strict-object.js';
import { Identifier, SecretString, StringCodec } from '../contract/codecs/text-and-numbers.js';
import { Timestamp } from '../contract/codecs/timestamp.js';
import { SecretHash } from './secret-hash.js';

/** The characters that a cookie can carry unquoted (RFC 6265, section 4.1.1). */
const cookieOctets = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+$/;

/** The value of a session cookie. */
export const SessionValue = new SecretString('session value (characters that a cookie can carry)', {
  pattern: cookieOctets,
});

/** A session in a fixture file, with the cookie's value in clear text. */
export const SessionSeed = new StrictObject(
  {
    id: described(Identifier, 'Id of your choice, unique among sessions.'),
    value: described(SessionValue, 'The value of the cookie `session`; unique across all files.'),
    createdAt: described(Timestamp, 'When the session started.'),
    expiresAt: described(Timestamp, 'When it expires.'),
  },
  'session',
);
export type SessionSeed = t.TypeOf<typeof SessionSeed>;

const originPattern = /^[0-9a-f]{16}$/;

/**
 * The network address from which a session was started, as the first 16 digits of a SHA-256: enough to tell
 * whether two sessions have the same one. Null: unknown, as for the sessions of fixtures.
 */
const Origin = nullable(
  new StringCodec(
    '16 hexadecimal digits',
    { pattern: originPattern },
    (u): u is string => typeof u === 'string' && originPattern.test(u),
  ),
);

/** A stored session. It is valid until `expiresAt`; using it does not extend it. */
export const SessionRecord = t.strict(
  {
    id: Identifier,
    userId: Identifier,
    hash: SecretHash,
    createdAt: Timestamp,
    expiresAt: Timestamp,
    origin: Origin,
  },
  'SessionRecord',
);
export type SessionRecord = t.TypeOf<typeof SessionRecord>;
