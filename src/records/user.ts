import * as t from 'io-ts';
import { described } from '../codecs/described.js';
import { SecretString } from '../codecs/secret-string.js';
import { StrictObject } from '../codecs/strict-object.js';
import { Email, Identifier, Text } from '../codecs/text.js';
import { PasswordHash } from './password-hash.js';

/** What two addresses must differ in to be two accounts: neither letter case nor the way an accent is written. */
export const emailKey = (email: string): string => email.normalize('NFC').toLowerCase();

const who = {
  id: described(Identifier, 'Id of your choice; unique across all files.'),
  email: described(Email, 'The address to log in with; unique across all files.'),
  name: described(Text, 'Name to show.'),
};

/** A password as fixtures write it. */
export const Password = new SecretString('password (text, not empty)', { minLength: 1 });

/** A tenant as fixtures write it, the password in clear text. */
export const UserSeed = new StrictObject(
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
export const UserProfile = t.strict(who, 'UserFacts');
export type UserProfile = t.TypeOf<typeof UserProfile>;
