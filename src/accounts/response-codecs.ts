import * as t from 'io-ts';
import { listOf, nullable } from '../contract/codecs/combinators.js';
import { Timestamp } from '../contract/codecs/timestamp.js';

/** The JSON response of login and sign-up: the signed-in user. */
export const SignedIn = t.strict(
  { user: t.strict({ id: t.string, email: t.string, name: t.string }, 'user') },
  'SignedIn',
);
export type SignedIn = t.TypeOf<typeof SignedIn>;

/** The JSON response of `GET /session`: the signed-in user, and when the session ends. */
export const CurrentSession = t.strict({ ...SignedIn.type.props, expiresAt: Timestamp }, 'CurrentSession');

/** A new API token, shown this once. */
export const MintedToken = t.strict(
  { id: t.string, name: t.string, token: t.string, expiresAt: nullable(Timestamp) },
  'MintedToken',
);
export type MintedToken = t.TypeOf<typeof MintedToken>;

/** An API token in the list, identified by its name and prefix: the token itself is not stored. */
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

/** The JSON response of the list of API tokens. */
export const ListedTokens = listOf(ListedToken);
