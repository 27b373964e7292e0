import * as t from 'io-ts';
import { described } from '../contract/codecs/combinators.js';
import { StrictObject } from '../contract/codecs/strict-object.js';
import { Email, Identifier, SecretString, Text } from '../contract/codecs/text-and-numbers.js';
import { PasswordHash } from './password-hash.js';

/** The key by which e-mail addresses are compared: letter case and the encoding of accents do not matter. */
export const emailKey = (email: string): string => email.normalize('NFC').toLowerCase();

const profile = {
  id: described(Identifier, 'Id of your choice, unique across all files.'),
  email: described(Email, 'The e-mail address to log in with; unique across all files.'),
  name: described(Text, 'Display name.'),
};

/** A password in a fixture file. */
export const Password = new SecretString('password (text, not empty)', { minLength: 1 });

/** A tenant's user in a fixture file, with the password in clear text. */
export const UserSeed = new StrictObject(
  {
    ...profile,
    password: described(
      Password,
      'The password to log in with, in clear text: never use a real one in fixtures.',
    ),
  },
  'user',
);
export type UserSeed = t.TypeOf<typeof UserSeed>;

/** A tenant's user, as stored. */
export const UserRecord = t.strict({ ...profile, passwordHash: PasswordHash }, 'UserRecord');
export type UserRecord = t.TypeOf<typeof UserRecord>;

/** A user without the password hash. */
export const UserProfile = t.strict(profile, 'UserProfile');
export type UserProfile = t.TypeOf<typeof UserProfile>;
