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

/** An API token as it is kept. `expiresAt` null: until it is revoked. */
export const ApiTokenRecord = t.strict(
  { id: Identifier, userId: Identifier, name: Text, hash: SecretHash, ...life },
  'ApiTokenRecord',
);
export type ApiTokenRecord = t.TypeOf<typeof ApiTokenRecord>;
