import * as t from 'io-ts';
import { listOf } from '../codecs/list.js';
import { nullable } from '../codecs/nullable.js';
import { Timestamp } from '../codecs/timestamp.js';

/** Who is signed in; what login and sign-up answer in JSON. */
export const SignedIn = t.strict(
  { user: t.strict({ id: t.string, email: t.string, name: t.string }, 'user') },
  'SignedIn',
);
export type SignedIn = t.TypeOf<typeof SignedIn>;

/** A token as it is shown once. */
export const MintedToken = t.strict(
  { id: t.string, name: t.string, token: t.string, expiresAt: nullable(Timestamp) },
  'MintedToken',
);
export type MintedToken = t.TypeOf<typeof MintedToken>;

/** A token as it is listed: what it is known by, and never the token itself. */
export const ListedToken = t.strict(
  {
    id: t.string,
    name: t.string,
    prefix: t.string,
    createdAt: Timestamp,
    lastUsedAt: nullable(Timestamp),
    expiresAt: nullable(Timestamp),
    revokedAt: nullable(Timestamp),
  },
  'ListedToken',
);
export type ListedToken = t.TypeOf<typeof ListedToken>;

/** What the list of tokens answers in JSON. */
export const ListedTokens = listOf(ListedToken);
