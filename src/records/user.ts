import * as t from 'io-ts';
import { Closed } from '../vocabulary/closed.js';
import { described } from '../vocabulary/described.js';
import { Secret } from '../vocabulary/secret.js';
import { Email, Identifier, Text } from '../vocabulary/text.js';
import { PasswordHash } from './password-hash.js';

/** What two addresses must differ in to be two accounts: neither letter case nor the way an accent is written. */
export const emailKey = (email: string): string => email.normalize('NFC').toLowerCase();

const who = {
  id: described(Identifier, 'Id of your choice; unique across all files.'),
  email: described(Email, 'The address to log in with; unique across all files.'),
  name: described(Text, 'Name to show.'),
};

/** A password as fixtures write it. */
export const Password = new Secret('password (text, not empty)', { minLength: 1 });

/** A tenant as fixtures write it, the password in clear text. */
export const UserSeed = new Closed(
  {
    ...who,
    password: described(
      Password,
      'The password to log in with, in clear text: fixtures are no place for a real one.',
    ),
  },
  'user',
);
export type UserSeed = t.TypeOf<typeof UserSeed>;

/** A tenant as it is kept. */
export const UserRecord = t.strict({ ...who, passwordHash: PasswordHash }, 'UserRecord');
export type UserRecord = t.TypeOf<typeof UserRecord>;

/** Who a tenant is, without what only a login needs. */
export const UserFacts = t.strict(who, 'UserFacts');
export type UserFacts = t.TypeOf<typeof UserFacts>;
