import * as t from 'io-ts';
import { Closed } from '../vocabulary/closed.js';
import { Secret } from '../vocabulary/secret.js';
import { Email, Identifier, Text } from '../vocabulary/text.js';
import { PasswordHash } from './password-hash.js';

/** What two addresses must differ in to be two accounts: neither letter case nor the way an accent is written. */
export const emailKey = (email: string): string => email.normalize('NFC').toLowerCase();

const who = { id: Identifier, email: Email, name: Text };

/** A tenant as fixtures write it, the password in clear text. */
export const UserSeed = new Closed(
  { ...who, password: new Secret('password (text, not empty)', (password) => password !== '') },
  'user',
);
export type UserSeed = t.TypeOf<typeof UserSeed>;

/** A tenant as it is kept. */
export const UserRecord = t.strict({ ...who, passwordHash: PasswordHash }, 'UserRecord');
export type UserRecord = t.TypeOf<typeof UserRecord>;

/** Who a tenant is, without what only a login needs. */
export const UserFacts = t.strict(who, 'UserFacts');
export type UserFacts = t.TypeOf<typeof UserFacts>;
