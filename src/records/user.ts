import type * as t from 'io-ts';
import { Closed } from '../vocabulary/closed.js';
import { Secret } from '../vocabulary/secret.js';
import { Email, Identifier, Text } from '../vocabulary/text.js';

/** What two addresses must differ in to be two accounts: letter case does not count. */
export const emailKey = (email: string): string => email.toLowerCase();

/** A tenant as fixtures write it, the password in clear text. */
export const UserSeed = new Closed(
  {
    id: Identifier,
    email: Email,
    name: Text,
    password: new Secret('password (text, not empty)', (p) => p !== ''),
  },
  'user',
);
export type UserSeed = t.TypeOf<typeof UserSeed>;
