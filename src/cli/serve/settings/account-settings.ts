import * as t from 'io-ts';
import { optional } from '../../../contract/codecs/combinators.js';
import type { OptionTexts } from '../../settings/options.js';
import { Count, Names, NonEmptyString, Switch } from '../../settings/setting-codecs.js';

/** What is kept of accounts, and how often they may be tried. */
export const AccountSettings = t.strict(
  {
    state: optional(NonEmptyString),
    maxSignUps: optional(Count),
    loginLimit: Count,
    loginAccountLimit: Count,
    loginAddressLimit: Count,
    loginRateLimit: Count,
    signUpLimit: Count,
    signUpPersonas: Names,
    showPasswords: Switch,
    mutableDemo: Switch,
  },
  'AccountSettings',
);

export const accountOptions: OptionTexts<keyof t.TypeOf<typeof AccountSettings>> = {
  state: {
    flags: '--state <folder>',
    variable: 'TRIAGE_STATE',
    description:
      'keep sign-ups, sessions and tokens in this folder, in a file for each account; default: in memory',
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
    description: 'maximum number of failed logins per minute to one account from one network address',
  },
  loginAccountLimit: {
    flags: '--login-account-limit <count>',
    variable: 'TRIAGE_LOGIN_ACCOUNT_LIMIT',
    fallback: '200',
    description: 'maximum number of failed logins per minute to one account from anywhere',
  },
  loginAddressLimit: {
    flags: '--login-address-limit <count>',
    variable: 'TRIAGE_LOGIN_ADDRESS_LIMIT',
    fallback: '30',
    description: 'maximum number of failed logins per minute from one network address',
  },
  loginRateLimit: {
    flags: '--login-rate-limit <count>',
    variable: 'TRIAGE_LOGIN_RATE_LIMIT',
    fallback: '300',
    description: 'maximum number of logins per minute from one network address, successful ones included',
  },
  signUpLimit: {
    flags: '--signup-limit <count>',
    variable: 'TRIAGE_SIGNUP_LIMIT',
    fallback: '60',
    description: 'maximum number of sign-ups per hour and network address',
  },
  signUpPersonas: {
    flags: '--signup-persona <name...>',
    variable: 'TRIAGE_SIGNUP_PERSONA',
    fallback: [],
    description:
      'fixtures whose data visitors may choose for a new account instead of the demo data, such as acme,boundary; with a database, those of the package',
  },
  showPasswords: {
    flags: '--show-passwords',
    variable: 'TRIAGE_SHOW_PASSWORDS',
    fallback: false,
    negatable: 'show only the passwords of the shipped fixtures',
    description:
      'show the passwords of the fixtures on the start page, as is always done for those of the package',
  },
  mutableDemo: {
    flags: '--mutable-demo',
    variable: 'TRIAGE_MUTABLE_DEMO',
    fallback: false,
    negatable: 'refuse changes of shared accounts',
    description:
      'let visitors change shared accounts, whose passwords the start page shows: API tokens and sessions',
  },
};
