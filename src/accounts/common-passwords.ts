import { dictionary } from '@zxcvbn-ts/language-common';
import { furtherCommonPasswords } from './further-common-passwords.js';

/** The passwords that are used most, and many words, in lower case. Importing this takes some time. */
export const commonPasswords: ReadonlySet<string> = new Set([
  ...dictionary['passwords-common'],
  ...furtherCommonPasswords.trim().split(/\s+/),
]);
