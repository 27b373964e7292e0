import * as t from 'io-ts';
import { optional } from '../../../codecs/optional.js';
import type { OptionTexts } from '../../settings/options.js';
import { Count, NonEmptyString } from '../../settings/setting-codecs.js';

/** What is kept of accounts, and how often they may be tried. */
export const AccountSettings = t.strict(
  {
    state: optional(NonEmptyString),
    maxSignUps: optional(Count),
    loginLimit: Count,
    loginAddressLimit: Count,
    signUpLimit: Count,
  },
  'AccountSettings',
);

export const accountOptions: OptionTexts<keyof t.TypeOf<typeof AccountSettings>> = {
  state: {
    flags: '--state <file>',
    variable: 'TRIAGE_STATE',
    description: 'keep sign-ups, sessions and tokens in this file; default: in memory',
  },
  maxSignUps: {
    flags: '--max-signups <count>',
    variable: 'TRIAGE_MAX_SIGNUPS',
    description:
      'maximum number of signed-up tenants; a new one replaces the oldest; default: 500 with fixtures, none with a database',
  },
  loginLimit: {
    flags: '--login-limit <count>',
    variable: 'TRIAGE_LOGIN_LIMIT',
    fallback: '10',
    description: 'maximum number of failed logins per minute and account',
  },
  loginAddressLimit: {
    flags: '--login-address-limit <count>',
    variable: 'TRIAGE_LOGIN_ADDRESS_LIMIT',
    fallback: '30',
    description: 'maximum number of failed logins per minute and network address',
  },
  signUpLimit: {
    flags: '--signup-limit <count>',
    variable: 'TRIAGE_SIGNUP_LIMIT',
    fallback: '60',
    description: 'maximum number of sign-ups per hour and network address',
  },
};
