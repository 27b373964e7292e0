import * as t from 'io-ts';
import { described, nullable } from '../contract/codecs/combinators.js';
import { StrictObject } from '../contract/codecs/strict-object.js';
import { Identifier, SecretString, Text } from '../contract/codecs/text-and-numbers.js';
import { Timestamp } from '../contract/codecs/timestamp.js';
import { SecretHash } from './secret-hash.js';

/** The characters that an `Authorization: Bearer` header can carry (RFC 6750, section 2.1). */
const b64token = /^[A-Za-z0-9\-._~+/]+=*$/;

/** The value of a bearer token. */
export const TokenValue = new SecretString('token (characters that a bearer token can carry)', {
  pattern: b64token,
});

const lifetime = {
  createdAt: described(Timestamp, 'When the token was created.'),
  expiresAt: described(nullable(Timestamp), 'When it expires; null if never.'),
  revokedAt: described(nullable(Timestamp), 'When it was revoked; null if it was not.'),
};

/** An API token in a fixture file, in clear text. */
export const ApiTokenSeed = new StrictObject(
  {
    id: described(Identifier, 'Id of your choice, unique among apiTokens.'),
    name: described(Text, 'A name to recognize it by.'),
    token: described(TokenValue, 'The token that follows `Authorization: Bearer`; unique across all files.'),
    ...lifetime,
  },
  'API token',
);
export type ApiTokenSeed = t.TypeOf<typeof ApiTokenSeed>;

const profile = {
  id: Identifier,
  userId: Identifier,
  name: Text,
  prefix: Text,
  ...lifetime,
  lastUsedAt: nullable(Timestamp),
};

/**
 * What a storage tells about an API token. `prefix` is its beginning, for its owner to recognize it.
 * `expiresAt` is null if it never expires, `lastUsedAt` if it was never used.
 */
export const ApiTokenProfile = t.strict(profile, 'ApiTokenProfile');
export type ApiTokenProfile = t.TypeOf<typeof ApiTokenProfile>;

/** A stored API token: its profile, and the hash by which it is found. */
export const ApiTokenRecord = t.strict({ ...profile, hash: SecretHash }, 'ApiTokenRecord');
export type ApiTokenRecord = t.TypeOf<typeof ApiTokenRecord>;

/** A record without the hash. */
export const apiTokenProfile = ({ hash: _, ...rest }: ApiTokenRecord): ApiTokenProfile => rest;

/** The part of a token that may be shown: its first 11 characters, but never more than half of it. */
export const tokenPrefix = (token: string): string =>
  token.slice(0, Math.min(11, Math.floor(token.length / 2)));
