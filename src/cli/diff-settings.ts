import * as t from 'io-ts';
import { optional } from '../codecs/optional.js';
import type { OptionTexts } from './options.js';
import { BaseUrl, CookieName, CredentialValue, NonEmpty, Switch } from './setting-codecs.js';
import { throttleCliOptions, throttleSettings } from './throttle-settings.js';

/** The settings of `diff`. What is given for one side alone beats what is given for both. */
export const DiffSettings = t.strict(
  {
    left: BaseUrl,
    right: BaseUrl,
    session: optional(CredentialValue),
    token: optional(CredentialValue),
    leftSession: optional(CredentialValue),
    leftToken: optional(CredentialValue),
    rightSession: optional(CredentialValue),
    rightToken: optional(CredentialValue),
    cookie: CookieName,
    values: Switch,
    json: optional(NonEmpty),
    ...throttleSettings,
  },
  'DiffSettings',
);
export type DiffSettings = t.TypeOf<typeof DiffSettings>;

/** How they are given. */
export const diffOptions: OptionTexts<keyof DiffSettings> = {
  left: {
    flags: '--left <url>',
    variable: 'TRIAGE_LEFT',
    description: 'base URL of one server, up to but without /api/v1; required',
  },
  right: {
    flags: '--right <url>',
    variable: 'TRIAGE_RIGHT',
    description: 'base URL of the other server; required',
  },
  session: {
    flags: '--session <value>',
    variable: 'TRIAGE_SESSION',
    description: 'value of the session cookie, for both; required, unless each has its own',
  },
  token: { flags: '--token <value>', variable: 'TRIAGE_TOKEN', description: 'bearer token, for both' },
  leftSession: {
    flags: '--left-session <value>',
    variable: 'TRIAGE_LEFT_SESSION',
    description: 'session for the left server, in place of the one for both',
  },
  leftToken: {
    flags: '--left-token <value>',
    variable: 'TRIAGE_LEFT_TOKEN',
    description: 'bearer token for the left server',
  },
  rightSession: {
    flags: '--right-session <value>',
    variable: 'TRIAGE_RIGHT_SESSION',
    description: 'session for the right server',
  },
  rightToken: {
    flags: '--right-token <value>',
    variable: 'TRIAGE_RIGHT_TOKEN',
    description: 'bearer token for the right server',
  },
  cookie: {
    flags: '--cookie <name>',
    variable: 'TRIAGE_COOKIE',
    fallback: 'session',
    description: 'name of the session cookie',
  },
  values: {
    flags: '--values',
    variable: 'TRIAGE_VALUES',
    fallback: false,
    negatable: true,
    description: 'compare values, too: of servers that ought to hold the same data',
  },
  json: {
    flags: '--json <file>',
    variable: 'TRIAGE_JSON',
    description: 'write the report as JSON; - for standard output, in place of the one for people',
  },
  ...throttleCliOptions,
};
