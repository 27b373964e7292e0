import * as t from 'io-ts';
import { described } from '../codecs/described.js';
import { nullable } from '../codecs/nullable.js';
import { SecretString } from '../codecs/secret-string.js';
import { StrictObject } from '../codecs/strict-object.js';
import { Identifier, Text } from '../codecs/text.js';
import { Timestamp } from '../codecs/timestamp.js';
import { SecretHash } from './secret-hash.js';

/** The characters that an `Authorization: Bearer` header can carry (RFC 6750, section 2.1). */
const b64token = /^[A-Za-z0-9\-._~+/]+=*$/;

/** What a bearer token may be. */
export const TokenValue = new SecretString('token (characters that a bearer token can carry)', {
  pattern: b64token,
});

const life = {
  createdAt: described(Timestamp, 'When the token was minted.'),
  expiresAt: described(nullable(Timestamp), 'Until when it holds; null: until it is revoked.'),
  revokedAt: described(nullable(Timestamp), 'When it was revoked; null: it was not.'),
};

/** An API token as fixtures write it, the token in clear text. */
export const ApiTokenSeed = new StrictObject(
  {
    id: described(Identifier, 'Id of your choice, unique among apiTokens.'),
    name: described(Text, 'By which its owner knows it.'),
    token: described(TokenValue, 'What follows `Authorization: Bearer`; unique across all files.'),
    ...life,
  },
  'API token',
);
export type ApiTokenSeed = t.TypeOf<typeof ApiTokenSeed>;

/**
 * An API token as it is kept. `prefix` is its beginning, by which its owner knows it again; `expiresAt` null: until it is
 * revoked; `lastUsedAt` null: never used.
 */
export const ApiTokenRecord = t.strict(
  {
    id: Identifier,
    userId: Identifier,
    name: Text,
    prefix: Text,
    hash: SecretHash,
    ...life,
    lastUsedAt: nullable(Timestamp),
  },
  'ApiTokenRecord',
);
export type ApiTokenRecord = t.TypeOf<typeof ApiTokenRecord>;

/** The beginning of a token that can be shown: enough to know it by, and never more than half of it. */
export const tokenPrefix = (token: string): string =>
  token.slice(0, Math.min(11, Math.floor(token.length / 2)));
