import * as t from 'io-ts';
import { Closed } from '../vocabulary/closed.js';
import { nullable } from '../vocabulary/nullable.js';
import { Secret } from '../vocabulary/secret.js';
import { Identifier, Text } from '../vocabulary/text.js';
import { Timestamp } from '../vocabulary/timestamp.js';
import { SecretHash } from './secret-hash.js';

/** The characters that an `Authorization: Bearer` header can carry (RFC 6750, section 2.1). */
const b64token = /^[A-Za-z0-9\-._~+/]+=*$/;

const life = { createdAt: Timestamp, expiresAt: nullable(Timestamp), revokedAt: nullable(Timestamp) };

/** An API token as fixtures write it, the token in clear text. */
export const ApiTokenSeed = new Closed(
  {
    id: Identifier,
    name: Text,
    token: new Secret('token (characters that a bearer token can carry)', (v) => b64token.test(v)),
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
