import * as t from 'io-ts';
import { SecretHash } from '../api/credentials.js';
import type { TenantRows } from '../api/row-records.js';
import { described, nullable } from '../contract/codecs/combinators.js';
import { StrictObject } from '../contract/codecs/strict-object.js';
import {
  branded,
  Email,
  Identifier,
  SecretString,
  StringCodec,
  Text,
} from '../contract/codecs/text-and-numbers.js';
import { Timestamp, UtcTime } from '../contract/codecs/timestamp.js';

/**
 * The hash of a password, with its cost: `scrypt$N$r$p$salt$hash`, the last two in base64url. Browsers have
 * no scrypt: a demo that runs in one has `pbkdf2$rounds$salt$hash`.
 */
export const PasswordHash = branded<'PasswordHash'>('scrypt or PBKDF2 hash', {
  pattern: /^(?:scrypt\$\d{1,8}\$\d{1,3}\$\d{1,3}|pbkdf2\$\d{1,8})\$[\w-]{22,}\$[\w-]{43,}$/,
});
export type PasswordHash = t.Branded<string, 'PasswordHash'>;

/** The key by which e-mail addresses are compared: letter case and the encoding of accents do not matter. */
export const emailKey = (email: string): string => email.normalize('NFC').toLowerCase();

/** A user without a password. */
export const UserProfile = t.strict(
  {
    id: described(Identifier, 'Id of your choice, unique across all files.'),
    email: described(Email, 'The e-mail address to log in with; unique across all files.'),
    name: described(Text, 'Display name.'),
  },
  'UserProfile',
);
export type UserProfile = t.TypeOf<typeof UserProfile>;

/** A password in a fixture file. */
export const Password = new SecretString('password (text, not empty)', { minLength: 1 });

/** A tenant's user in a fixture file, with the password in clear text. */
export const UserSeed = new StrictObject(
  {
    ...UserProfile.type.props,
    password: described(
      Password,
      'The password to log in with, in clear text: never use a real one in fixtures.',
    ),
  },
  'user',
);
export type UserSeed = t.TypeOf<typeof UserSeed>;

/** A tenant's user, as stored. */
export const UserRecord = t.strict({ ...UserProfile.type.props, passwordHash: PasswordHash }, 'UserRecord');
export type UserRecord = t.TypeOf<typeof UserRecord>;

/** The value of a session cookie, which a cookie can carry unquoted (RFC 6265, section 4.1.1). */
export const SessionValue = new SecretString('session value (characters that a cookie can carry)', {
  pattern: /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+$/,
});

/** A session in a fixture file, with the cookie's value in clear text. */
export const SessionSeed = new StrictObject(
  {
    id: described(Identifier, 'Id of your choice, unique among sessions.'),
    value: described(SessionValue, 'The value of the cookie `session`; unique across all files.'),
    createdAt: described(UtcTime, 'When the session started.'),
    expiresAt: described(UtcTime, 'When it expires.'),
  },
  'session',
);
export type SessionSeed = t.TypeOf<typeof SessionSeed>;

/**
 * The network address from which a session was started, as the first 16 digits of a SHA-256: enough to tell
 * whether two sessions have the same one. Null: unknown, as for the sessions of fixtures.
 */
const Origin = nullable(new StringCodec('16 hexadecimal digits', { pattern: /^[0-9a-f]{16}$/ }));

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

/** The value of a bearer token, as a header can carry it (RFC 6750, section 2.1). */
export const TokenValue = new SecretString('token (characters that a bearer token can carry)', {
  pattern: /^[A-Za-z0-9\-._~+/]+=*$/,
});

const createdAt = described(UtcTime, 'When the token was created.');
const validity = {
  expiresAt: described(nullable(UtcTime), 'When it expires; null if never.'),
  revokedAt: described(nullable(UtcTime), 'When it was revoked; null if it was not.'),
};

/** An API token in a fixture file, in clear text. */
export const ApiTokenSeed = new StrictObject(
  {
    id: described(Identifier, 'Id of your choice, unique among apiTokens.'),
    name: described(Text, 'A name to recognize it by.'),
    token: described(TokenValue, 'The token that follows `Authorization: Bearer`; unique across all files.'),
    createdAt,
    ...validity,
  },
  'API token',
);
export type ApiTokenSeed = t.TypeOf<typeof ApiTokenSeed>;

/** What a storage tells about an API token. `prefix` is its beginning, for its owner to recognize it. */
export const ApiTokenProfile = t.strict(
  {
    id: Identifier,
    userId: Identifier,
    name: Text,
    prefix: Text,
    createdAt,
    /** Null: it was never used. */
    lastUsedAt: nullable(Timestamp),
    ...validity,
  },
  'ApiTokenProfile',
);
export type ApiTokenProfile = t.TypeOf<typeof ApiTokenProfile>;

/** A stored API token: its profile, and the hash by which it is found. */
export const ApiTokenRecord = t.strict({ ...ApiTokenProfile.type.props, hash: SecretHash }, 'ApiTokenRecord');
export type ApiTokenRecord = t.TypeOf<typeof ApiTokenRecord>;

/** A record without the hash. */
export const apiTokenProfile = ({ hash: _, ...rest }: ApiTokenRecord): ApiTokenProfile => rest;

/** The part of a token that may be shown: its first 11 characters, but never more than half of it. */
export const tokenPrefix = (token: string): string =>
  token.slice(0, Math.min(11, Math.floor(token.length / 2)));

/** All records of a tenant: no secret in clear text, and timestamps as they will be served. */
export type TenantRecords = Readonly<{
  user: UserRecord;
  sessions: readonly SessionRecord[];
  apiTokens: readonly ApiTokenRecord[];
  rows: TenantRows;
}>;

/** How many records of each kind a tenant has. */
export const RecordCounts = t.strict(
  {
    repos: t.Integer,
    scans: t.Integer,
    fixDrafts: t.Integer,
    pullRequests: t.Integer,
    sessions: t.Integer,
    apiTokens: t.Integer,
  },
  'record counts',
);
export type RecordCounts = t.TypeOf<typeof RecordCounts>;
